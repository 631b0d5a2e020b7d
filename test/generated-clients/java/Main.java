import java.io.File;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ApprovalsApi;
import org.openapitools.client.api.ArtifactsApi;
import org.openapitools.client.api.RunsApi;
import org.openapitools.client.model.Approval;
import org.openapitools.client.model.ApprovalStatus;
import org.openapitools.client.model.Artifact;
import org.openapitools.client.model.DecideApproval;
import org.openapitools.client.model.Decision;
import org.openapitools.client.model.Run;
import org.openapitools.client.model.StartRun;

/** Starts a run, uploads an artifact and approves the run with the client of OpenAPI Generator (java). */
public final class Main {
  public static void main(String[] arguments) throws Exception {
    ApiClient operator = clientOf("OPERATOR_TOKEN");
    ApiClient approver = clientOf("APPROVER_TOKEN");

    StartRun start = new StartRun().workflowId(System.getenv("WORKFLOW_ID")).inputs(Map.of("version", "1.4.0"));
    Run run = new RunsApi(operator).startRun(start, null, null);

    File file = new File(System.getenv("ARTIFACT_FILE"));
    Artifact artifact = new ArtifactsApi(operator).uploadArtifact(run.getRunId(), "notes.txt", file, null);
    if (artifact.getSize() != file.length()) {
      throw new IllegalStateException("The artifact has " + artifact.getSize() + " bytes.");
    }

    ApprovalsApi approvals = new ApprovalsApi(approver);
    Approval pending = approvals
        .listApprovals(null, null, null, null, null, run.getRunId(), null, null, null, null, null, null)
        .getItems()
        .get(0);
    DecideApproval decision =
        new DecideApproval().decision(Decision.DECISION_APPROVE).expectedDigest(pending.getDigest());
    Approval decided = approvals.decideApproval(pending.getApprovalId(), decision, null, null);
    if (decided.getStatus() != ApprovalStatus.APPROVAL_STATUS_APPROVED) {
      throw new IllegalStateException("The approval is " + decided.getStatus() + ".");
    }
    System.out.println(run.getRunId());
    // The HTTP client's idle threads would keep the process for a minute.
    System.exit(0);
  }

  private static ApiClient clientOf(String tokenVariable) {
    ApiClient client = new ApiClient().setBasePath(System.getenv("COUNTERSIGN_URL"));
    client.setBearerToken(System.getenv(tokenVariable));
    return client;
  }
}
