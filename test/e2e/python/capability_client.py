"""Call the Yuan-Bot Capability API from Python.

The client is generated from proto/schema. With Debian's packages protobuf-compiler, protobuf-compiler-grpc,
libprotobuf-dev and python3-grpcio:

    protoc -I proto/schema --python_out=generated \
        --plugin=protoc-gen-grpc_python=/usr/bin/grpc_python_plugin --grpc_python_out=generated \
        yuanbot/capability/v1/capability.proto

(With pip: `pip install grpcio grpcio-tools`, and `python -m grpc_tools.protoc` with the same options but the
plugin's.) Then, against a running platform (`npm start`):

    PYTHONPATH=generated python3 test/e2e/python/capability_client.py 127.0.0.1:7420

It prints one JSON document: what was loaded for an intent, and the outcomes of two calls.
"""

import argparse
import json

import grpc
from yuanbot.capability.v1 import capability_pb2 as api
from yuanbot.capability.v1.capability_pb2_grpc import CapabilityServiceStub

# A caller sets a deadline on every call (seconds); the tools' own time-outs are shorter.
DEADLINE_S = 30


def load_for_intent(platform):
    """What a turn about daily life needs: skill prompts and tool definitions, ready for a model's request."""
    loaded = platform.LoadForIntent(
        api.LoadForIntentRequest(
            domains=["daily_chat"],
            candidate_tools=["get_current_datetime"],
            query="现在几点？",
            user_id="python-user",
            session_id="python-session",
        ),
        timeout=DEADLINE_S,
    )
    return {
        "skills": [skill.id for skill in loaded.skills],
        "tools": [json.loads(tool.definition_json) for tool in loaded.tools],
        "tokens": {"tools": loaded.tokens.tools, "all_tools": loaded.tokens.all_tools},
    }


def execute(platform, tool_id, params):
    """Run one tool. A tool that fails is an answer (`success` is false), never an exception."""
    response = platform.ExecuteTool(
        api.ExecuteToolRequest(
            tool_id=tool_id,
            params_json=json.dumps(params),
            user_id="python-user",
            session_id="python-session",
        ),
        timeout=DEADLINE_S,
    )
    outcome = response.result
    return {
        "success": outcome.success,
        "result": json.loads(outcome.result_json) if outcome.success else None,
        "error_code": outcome.error_code,
        "error": outcome.error,
        "sandbox": api.SandboxKind.Name(outcome.stats.sandbox),
    }


def main():
    parser = argparse.ArgumentParser(description="Call the Capability API once and print what it answers.")
    parser.add_argument("address", help="where the orchestrator listens: host:port or unix:/path")
    address = parser.parse_args().address

    with grpc.insecure_channel(address) as channel:
        platform = CapabilityServiceStub(channel)
        report = {
            "loaded": load_for_intent(platform),
            "now": execute(platform, "get_current_datetime", {"timezone": "Asia/Shanghai", "format": "date"}),
            "wrong": execute(platform, "get_current_datetime", {"format": "century"}),
        }
    print(json.dumps(report, ensure_ascii=False))


if __name__ == "__main__":
    main()
