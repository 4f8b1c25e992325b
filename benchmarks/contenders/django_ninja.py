"""django-ninja on Django's WSGI application, without middleware."""

import itertools
import logging
import sys
import types

import django
from django.conf import settings
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpResponse
from django.test import override_settings
from django.urls import path

from .. import shop
from ..gateway import WSGI
from ..scenario import section_path

if not settings.configured:
    settings.configure(
        ALLOWED_HOSTS=["*"],
        INSTALLED_APPS=[],
        LOGGING_CONFIG=None,
        MIDDLEWARE=[],
        ROOT_URLCONF=__name__,
        SECRET_KEY=shop.SECRET_KEY,
        SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    )
    django.setup()

# Only importable when Django has its settings.
from ninja import (
    Cookie,
    File,
    Form,
    Header,
    NinjaAPI,
    Path,
    Query,
    Router,
    UploadedFile,
)
from ninja.security import HttpBearer

TITLE = "django-ninja"
DISTRIBUTIONS = ("django-ninja", "Django")
IMPORT = (
    "import django.conf; django.conf.settings.configure(); django.setup(); import ninja"
)
GATEWAY = WSGI
UNABLE = {
    "guard": "decorators",
    "dependencies": "calls",
    "generator": "calls",
}
DOCUMENT = "/openapi.json"

# Django writes a line for every client error; the others write none.
logging.getLogger("django.request").setLevel(logging.ERROR)

_numbers = itertools.count()


class Token(HttpBearer):
    def authenticate(self, request, token):
        return shop.find_user(token)


class Application(WSGIHandler):
    """Django keeps one URL configuration per process; here each API has its own."""

    def __init__(self, build_api, middleware=()):
        with override_settings(MIDDLEWARE=middleware):
            super().__init__()
        name = f"urls_{next(_numbers)}"
        self.urls = sys.modules[name] = types.ModuleType(name)
        self.urls.urlpatterns = [path("", build_api(name).urls)]

    def get_response(self, request):
        request.urlconf = self.urls
        return super().get_response(request)


def build():
    return Application(build_shop)


def build_with_secret_key():
    sessions = "django.contrib.sessions.middleware.SessionMiddleware"
    return Application(build_shop, [sessions])


def build_with_hooks():
    return Application(build_shop, [f"{__name__}.send_id"])


def send_id(get_response):
    def middleware(request):
        request_id = request.headers.get(shop.ID_HEADER, "")
        response = get_response(request)
        response.headers[shop.ID_HEADER] = request_id
        return response

    return middleware


def build_shop(name):
    api = NinjaAPI(urls_namespace=name)
    add_parameters(api)
    add_lists(api)
    add_bodies(api)
    add_pages(api)
    api.add_router("/shops/{int:shop_id}", build_shops())
    return api


def add_parameters(api):
    @api.get("/hello")
    def hello(request):
        return HttpResponse(shop.GREETING, content_type="text/plain")

    @api.get("/users/{int:user_id}/visits")
    def visits(
        request,
        user_id: int = Path(..., ge=1),
        page: int = Query(1, ge=1),
        size: int = Query(20, ge=1, le=100),
        q: str = Query(min_length=1, max_length=50),
        x_token: str = Header(min_length=8),
        session: str = Cookie(min_length=8),
    ):
        return shop.show_visit(user_id, page, size, q, x_token, session)

    @api.get("/search")
    def search(request, search: Query[shop.Search]):
        return shop.show_search(search)


def add_lists(api):
    @api.get("/rows", response=list[shop.Item])
    def rows(request):
        return shop.ROWS

    @api.get("/items", response=list[shop.Item])
    def items(request):
        return shop.ITEMS


def add_bodies(api):
    @api.post("/items", response=shop.Item)
    def add_item(request, item: shop.ItemIn):
        return shop.add_item(item)

    @api.post("/drafts", response=shop.Item)
    def add_draft(request, item: shop.ItemIn):
        return shop.add_item(item)

    @api.post("/orders")
    def add_order(request, order: shop.Order):
        return shop.add_order(order)

    @api.post("/notes")
    def add_note(request, note: Form[shop.Note]):
        return shop.show_note(note)

    @api.post("/photos")
    def add_photo(request, photo: File[UploadedFile]):
        return shop.show_upload(photo.name, photo.read())


def add_pages(api):
    @api.get("/plain/{int:item_id}")
    def plain(request, item_id: int, page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page)

    @api.get("/bearer/{int:item_id}", auth=Token())
    def bearer(request, item_id: int, page: int = Query(1, ge=1)):
        return shop.show_page(item_id, page, user=request.auth)


def build_shops():
    shops, shelves, items = Router(), Router(), Router()

    @items.get("/{int:item_id}")
    def place(request, shop_id: Path[int], shelf_id: Path[int], item_id: Path[int]):
        return shop.show_place(shop_id, shelf_id, item_id)

    shelves.add_router("/items", items)
    shops.add_router("/shelves/{int:shelf_id}", shelves)
    return shops


def build_sections(count):
    def build_api(name):
        api = NinjaAPI(urls_namespace=name)
        for n in range(count):

            def hello(request):
                return HttpResponse(shop.GREETING, content_type="text/plain")

            api.get(section_path(n), url_name=f"hello_{n}")(hello)
        return api

    return Application(build_api)


def build_catalogue(models):
    def build_api(name):
        api = NinjaAPI(urls_namespace=name)
        for n, (ThingIn, Thing) in enumerate(models):

            @api.post(
                f"/things-{n}/{{int:thing_id}}",
                response=Thing,
                operation_id=f"add_thing_{n}",
            )
            def add_thing(
                request, thing_id: int, thing: ThingIn, page: int = Query(1, ge=1)
            ):
                return {"id": thing_id, **thing.model_dump()}

        return api

    return Application(build_api)
