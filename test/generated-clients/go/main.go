// Starts a run, uploads an artifact and approves the run with the client of OpenAPI Generator (go).
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	countersign "github.com/countersign/client"
)

func main() {
	configuration := countersign.NewConfiguration()
	configuration.Servers = countersign.ServerConfigurations{{URL: os.Getenv("COUNTERSIGN_URL")}}
	client := countersign.NewAPIClient(configuration)
	operator := context.WithValue(context.Background(), countersign.ContextAccessToken, os.Getenv("OPERATOR_TOKEN"))
	approver := context.WithValue(context.Background(), countersign.ContextAccessToken, os.Getenv("APPROVER_TOKEN"))

	start := countersign.NewStartRun(os.Getenv("WORKFLOW_ID"))
	start.SetInputs(map[string]interface{}{"version": "1.4.0"})
	run, _, err := client.RunsAPI.StartRun(operator).StartRun(*start).Execute()
	check(err)

	file, err := os.Open(os.Getenv("ARTIFACT_FILE"))
	check(err)
	size, err := file.Stat()
	check(err)
	artifact, _, err := client.ArtifactsAPI.UploadArtifact(operator, run.RunId, "notes.txt").Body(file).Execute()
	check(err)
	if artifact.Size != size.Size() {
		log.Fatalf("The artifact has %d bytes.", artifact.Size)
	}

	approvals, _, err := client.ApprovalsAPI.ListApprovals(approver).RunId(run.RunId).Execute()
	check(err)
	if len(approvals.Items) == 0 {
		log.Fatal("No approval is pending.")
	}
	pending := approvals.Items[0]
	decision := countersign.NewDecideApproval(countersign.DECISION_APPROVE)
	decision.SetExpectedDigest(pending.Digest)
	decided, _, err := client.ApprovalsAPI.DecideApproval(approver, pending.ApprovalId).DecideApproval(*decision).Execute()
	check(err)
	if decided.Status != countersign.APPROVAL_STATUS_APPROVED {
		log.Fatalf("The approval is %s.", decided.Status)
	}
	fmt.Println(run.RunId)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
