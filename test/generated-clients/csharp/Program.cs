// Starts a run, uploads an artifact and approves the run with the client of OpenAPI Generator (csharp).
using Countersign.Client.Api;
using Countersign.Client.Client;
using Countersign.Client.Extensions;
using Countersign.Client.Model;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Logging;

IServiceProvider operatorApis = ApisOf("OPERATOR_TOKEN");
IServiceProvider approverApis = ApisOf("APPROVER_TOKEN");

var inputs = new Dictionary<string, object> { ["version"] = "1.4.0" };
var started = await operatorApis.GetRequiredService<IRunsApi>().StartRunAsync(new StartRun(Given("WORKFLOW_ID"), inputs: inputs));
Run run = started.Created() ?? throw new InvalidOperationException(started.RawContent);

using FileStream content = File.OpenRead(Given("ARTIFACT_FILE"));
long size = content.Length;
var uploaded = await operatorApis.GetRequiredService<IArtifactsApi>().UploadArtifactAsync(run.RunId, "notes.txt", new FileParameter(content));
Artifact artifact = uploaded.Created() ?? throw new InvalidOperationException(uploaded.RawContent);
if (artifact.Size != size) throw new InvalidOperationException($"The artifact has {artifact.Size} bytes.");

var approvals = approverApis.GetRequiredService<IApprovalsApi>();
var listed = await approvals.ListApprovalsAsync(runId: run.RunId);
Approval pending = listed.Ok()?.Items[0] ?? throw new InvalidOperationException(listed.RawContent);
var decided = await approvals.DecideApprovalAsync(pending.ApprovalId, new DecideApproval(Decision.DECISION_APPROVE, expectedDigest: pending.Digest));
Approval approval = decided.Ok() ?? throw new InvalidOperationException(decided.RawContent);
if (approval.Status != ApprovalStatus.APPROVAL_STATUS_APPROVED) throw new InvalidOperationException($"The approval is {approval.Status}.");
Console.WriteLine(run.RunId);

static IServiceProvider ApisOf(string tokenVariable) =>
    Host.CreateDefaultBuilder()
        .ConfigureLogging(logging => logging.ClearProviders())
        .ConfigureApi((_, options) =>
        {
            options.AddTokens(new BearerToken(Given(tokenVariable)));
            options.AddApiHttpClients(client => client.BaseAddress = new Uri(Given("COUNTERSIGN_URL")));
        })
        .Build()
        .Services;

static string Given(string variable) =>
    Environment.GetEnvironmentVariable(variable) ?? throw new InvalidOperationException($"{variable} is missing.");
