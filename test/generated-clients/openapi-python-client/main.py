"""Starts a run, uploads an artifact and approves the run with the client of openapi-python-client."""

import os
from io import BytesIO
from pathlib import Path
from uuid import UUID

from countersign_client import AuthenticatedClient
from countersign_client.api.approvals import decide_approval, list_approvals
from countersign_client.api.artifacts import upload_artifact
from countersign_client.api.runs import start_run
from countersign_client.models import (
    Approval,
    ApprovalList,
    ApprovalStatus,
    Artifact,
    DecideApproval,
    Decision,
    Run,
    StartRun,
)
from countersign_client.types import File


def client_of(token_variable: str) -> AuthenticatedClient:
    return AuthenticatedClient(base_url=os.environ["COUNTERSIGN_URL"], token=os.environ[token_variable])


operator = client_of("OPERATOR_TOKEN")
approver = client_of("APPROVER_TOKEN")

inputs = {"version": "1.4.0"}
run = start_run.sync(
    client=operator, body=StartRun.from_dict({"workflowId": os.environ["WORKFLOW_ID"], "inputs": inputs})
)
assert isinstance(run, Run), run

content = Path(os.environ["ARTIFACT_FILE"]).read_bytes()
artifact = upload_artifact.sync(run.run_id, "notes.txt", client=operator, body=File(payload=BytesIO(content)))
assert isinstance(artifact, Artifact), artifact
assert artifact.size == len(content)

approvals = list_approvals.sync(client=approver, run_id=UUID(str(run.run_id)))
assert isinstance(approvals, ApprovalList), approvals
pending = approvals.items[0]
decided = decide_approval.sync(
    pending.approval_id,
    client=approver,
    body=DecideApproval(decision=Decision.DECISION_APPROVE, expected_digest=pending.digest),
)
assert isinstance(decided, Approval), decided
assert decided.status == ApprovalStatus.APPROVAL_STATUS_APPROVED
print(run.run_id)
