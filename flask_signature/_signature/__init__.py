"""The signature of a view under one rule and method: the only reader of signatures."""

from .argument import EMPTY as EMPTY
from .argument import Argument as Argument
from .argument import Signature as Signature
from .names import alias_paths as alias_paths
from .names import own_name as own_name
from .names import path_name as path_name
from .names import wire_name as wire_name
from .reader import read_signature as read_signature
from .subject import Subject as Subject
from .subject import find_subject as find_subject
from .subject import layers_of as layers_of
from .subject import takes_any_keyword as takes_any_keyword
