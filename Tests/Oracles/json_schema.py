"""Checks documents by a JSON Schema with the package jsonschema.

json_schema.py instances SCHEMA FILE...   prints "FILE: message" for each document (JSON5) that the schema refuses
json_schema.py values SCHEMA              the same for each default and example of the schema by its own schema
"""
import json
import sys

import json5
import jsonschema

mode, schema_path, *files = sys.argv[1:]
schema = json.load(open(schema_path, encoding="utf-8"))
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
failures = 0


def check(name, part, value):
    global failures
    for error in kind(part).iter_errors(value):
        failures += 1
        print(f"{name}: {error.json_path} {error.message[:200]}")


def values(path, part):
    if isinstance(part, dict):
        for key in ("default", "examples"):
            if key in part and "description" in part:
                rules = {name: rule for name, rule in part.items() if name not in ("default", "examples")}
                rules["$defs"] = schema.get("$defs", {})
                for value in [part[key]] if key == "default" else part[key]:
                    check(f"{path}: {key} {value!r}", rules, value)
        for key, inner in part.items():
            if key not in ("default", "examples", "enum", "const"):
                values(f"{path}.{key}", inner)
    elif isinstance(part, list):
        for index, inner in enumerate(part):
            values(f"{path}[{index}]", inner)


if mode == "values":
    values("$", schema)
else:
    for file in files:
        check(file, schema, json5.load(open(file, encoding="utf-8")))
print(f"{failures} failures")
