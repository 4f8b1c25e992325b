# Read by "flask run" when python-dotenv is installed.
FLASK_APP=sample_app
