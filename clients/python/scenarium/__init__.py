"""Client of the Scenarium REST API. `Client` is the entry point."""

from . import models
from .client import ChatMessage, Client
from .errors import ApiError, ConnectionFailed, RunFailed, RunRefused, RunTimeout, ScenariumError
from .transport import UNSET, File, Unset

__all__ = [
    "UNSET",
    "ApiError",
    "ChatMessage",
    "Client",
    "ConnectionFailed",
    "File",
    "RunFailed",
    "RunRefused",
    "RunTimeout",
    "ScenariumError",
    "Unset",
    "models",
]
