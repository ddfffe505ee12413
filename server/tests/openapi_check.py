"""Checks real answers against their schemas, and the document against OpenAPI's own. Called by openapi.rs."""
import json
import sys

from jsonschema import Draft202012Validator
from openapi_spec_validator import OpenAPIV31SpecValidator
from referencing import Registry, Resource
from referencing.jsonschema import DRAFT202012


def main():
    with open(sys.argv[1]) as file:
        given = json.load(file)
    document = given["document"]
    OpenAPIV31SpecValidator(document).validate()
    resource = Resource.from_contents(document, default_specification=DRAFT202012)
    registry = Registry().with_resource("document", resource)

    def validator(schema):
        # References are within the document.
        text = json.dumps(schema).replace('"#/', '"document#/')
        return Draft202012Validator(json.loads(text), registry=registry)

    for case in given["cases"]:
        errors = sorted(validator(case["schema"]).iter_errors(case["instance"]), key=str)
        if bool(errors) != case.get("wrong", False):
            shown = "\n".join(f"{list(error.path)}: {error.message[:300]}" for error in errors)
            sys.exit(f"{case['name']}: {shown or 'it fits and should not'}")
    print(len(given["cases"]), "cases fit")
    websocket = Draft202012Validator(given["websocket"])
    for message in given["messages"]:
        websocket.validate(message)
    # A schema that everything fits says nothing.
    for wrong in [{}, {"type": "delta"}, {"type": "delta", "seq": 1, "at": 1, "change": {"kind": "none"}}, 1]:
        if websocket.is_valid(wrong):
            sys.exit(f"{wrong} fits the WebSocket's schema")
    print(len(given["messages"]), "messages fit")


main()
