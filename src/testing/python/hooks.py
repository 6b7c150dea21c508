"""Refusals of valid fields that do not go together, which the description lists, count as conflicts."""

import json

import schemathesis


@schemathesis.hook
def after_call(context, case, response):
    if response.status_code not in (400, 503):
        return
    try:
        problem = json.loads(response.content)
    except ValueError:
        return
    together = set(case.operation.definition.raw.get("x-refused-together", []))
    named = {error["path"] for error in problem.get("errors", [])} or {problem.get("code")}
    # "This response is at least as new, or 503": for a position that may still come.
    is_waited_for = problem.get("code") == "view/behind" and "X-Position" in (case.headers or {})
    if named <= together or is_waited_for:
        response.status_code = 409
