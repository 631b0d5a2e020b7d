"""Starts a run, uploads an artifact and approves the run with the client of OpenAPI Generator (python)."""

import os
from pathlib import Path

import countersign_client as countersign


def client_of(token_variable: str) -> countersign.ApiClient:
    return countersign.ApiClient(
        countersign.Configuration(host=os.environ["COUNTERSIGN_URL"], access_token=os.environ[token_variable])
    )


operator = client_of("OPERATOR_TOKEN")
approver = client_of("APPROVER_TOKEN")

run = countersign.RunsApi(operator).start_run(
    countersign.StartRun(workflow_id=os.environ["WORKFLOW_ID"], inputs={"version": "1.4.0"})
)

content = Path(os.environ["ARTIFACT_FILE"]).read_bytes()
artifact = countersign.ArtifactsApi(operator).upload_artifact(run.run_id, "notes.txt", content)
assert artifact.size == len(content)

approvals = countersign.ApprovalsApi(approver)
pending = approvals.list_approvals(run_id=run.run_id).items[0]
decided = approvals.decide_approval(
    pending.approval_id,
    countersign.DecideApproval(decision=countersign.Decision.DECISION_APPROVE, expected_digest=pending.digest),
)
assert decided.status == countersign.ApprovalStatus.APPROVAL_STATUS_APPROVED
print(run.run_id)
