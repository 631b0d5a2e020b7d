import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ProblemError, type Approval, type Client, type JsonObject, type RunDetail } from '@countersign/contract';
import { releaseApprovalPlugin } from '@countersign/example-release-approval';
import { createTestHost, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const repository = fileURLToPath(new URL('../../..', import.meta.url)).replace(/[\\/]$/, '');
const modelUrl = new URL('../../../examples/release-approval/workflows/release-approval.bpmn', import.meta.url);

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: repository, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trimEnd();

/**
 * Returns the number of first-parent ancestors of HEAD: at most five, fewer in a shallow clone, 0 without a repository.
 */
function countAncestors(): number {
  try {
    return Math.min(5, Number(git('rev-list', '--first-parent', '--count', 'HEAD')) - 1);
  } catch {
    return 0;
  }
}

describe('example: release approval with the history of this repository', () => {
  let countersign: TestHost;
  let operator: Client;
  let approver: Client;
  let range: { readonly from: string; readonly to: string };

  before(async function () {
    const ancestorCount = countAncestors();
    if (ancestorCount < 1) {
      if (process.env['CI'] === 'true')
        throw new Error('The commit history is missing. Check out at least two commits.');
      this.skip();
    }
    range = { from: `HEAD~${ancestorCount}`, to: 'HEAD' };
    // In a linked work tree, the git directory is elsewhere.
    const roots = [repository, git('rev-parse', '--path-format=absolute', '--git-common-dir')];
    countersign = await createTestHost({
      plugins: [releaseApprovalPlugin],
      configuration: { Examples: { ReleaseApproval: { RepositoryRoots: roots, MaxDiffBytes: 100_000_000 } } },
    });
    [operator, approver] = await Promise.all([
      countersign.client('operator', 'otto'),
      countersign.client('approver', 'ada'),
    ]);
    await countersign.deploy(readFileSync(modelUrl, 'utf8'));
  });

  after(() => countersign?.close());

  const start = (inputs: JsonObject = {}) =>
    operator.startRun({
      body: { workflowId: 'release-approval', inputs: { repository, ...range, version: '1.2.3', ...inputs } },
    });

  /** Returns the first approval that a run requests after an event. */
  async function waitForApprovalAfter(
    runId: string,
    after: number,
  ): Promise<{ readonly approval: Approval; readonly seq: number }> {
    for await (const { type, seq, data } of approver.streamRunEvents({ runId, after })) {
      if (type === 'step.failed') throw new Error(JSON.stringify(data));
      if (type === 'approval.requested') {
        return { approval: await approver.getApproval({ approvalId: String(data['approvalId']) }), seq };
      }
    }
    throw new Error(`Run ${runId} ended without requesting an approval.`);
  }

  async function waitUntilEnded(runId: string): Promise<RunDetail> {
    for await (const event of approver.streamRunEvents({ runId })) void event;
    return approver.getRun({ runId });
  }

  /** Waits for the first incident of a run and returns its event data. */
  async function waitForIncident(runId: string): Promise<unknown> {
    for await (const { type, data } of approver.streamRunEvents({ runId })) {
      if (type.includes('incident') || type === 'step.failed') return data;
    }
    throw new Error(`Run ${runId} ended without an incident.`);
  }

  const getSubjectInputs = (approval: Approval): JsonObject => (approval.subject as JsonObject)['inputs'] as JsonObject;
  const downloadText = async (runId: string, artifactName: string): Promise<string> =>
    Buffer.from(await (await approver.downloadArtifact({ runId, artifactName })).bytes()).toString('utf8');
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

  it('should show an approver the actual commits, the diff and the risk', async () => {
    const { runId } = await start();

    const { approval } = await waitForApprovalAfter(runId, 0);

    const ids = git('rev-list', `${range.from}..${range.to}`).split('\n');
    const inputs = getSubjectInputs(approval);
    // The workers that uploaded the evidence are not people.
    expect(approval.excludedUsers).to.deep.equal(['otto']);
    expect(approval).to.include({ title: 'Approve the release', requestedBy: 'otto', round: 1, status: 'pending' });
    expect(inputs).to.deep.include({
      repository,
      version: '1.2.3',
      openRequests: [],
      to: { revision: 'HEAD', commit: git('rev-parse', 'HEAD') },
    });
    expect((inputs['totals'] as JsonObject)['commits']).to.equal(ids.length);
    expect(approval.riskFactors).to.deep.equal(inputs['riskFactors']);
    expect(
      (JSON.parse(await downloadText(runId, 'commits.json')) as { commits: { id: string }[] }).commits.map(
        ({ id }) => id,
      ),
    ).to.have.members(ids);
    const patch = await downloadText(runId, 'diff.patch');
    expect((approval.subject as { evidence?: unknown }).evidence).to.deep.include({
      name: 'diff.patch',
      version: 1,
      sha256: sha256(patch),
    });
  });

  it('should apply requested changes in a second round, and publish exactly the approved notes', async () => {
    // given
    const { runId } = await start();
    const first = await waitForApprovalAfter(runId, 0);
    const excludedCommit = git('log', '-1', '--format=%H', range.to);

    // when
    const comment = `exclude commit ${excludedCommit}\nadd Needs Node 20.\nIs the manual up to date?`;
    await approver.decideApproval({
      approvalId: first.approval.approvalId,
      body: { decision: 'request_changes', comment },
    });
    const second = await waitForApprovalAfter(runId, first.seq);
    const notes = String(getSubjectInputs(second.approval)['notes']);
    await approver.decideApproval({
      approvalId: second.approval.approvalId,
      body: { decision: 'approve', expectedDigest: second.approval.digest },
    });
    const run = await waitUntilEnded(runId);

    // then
    expect(second.approval).to.deep.include({ round: 2, previousApprovalId: first.approval.approvalId });
    expect(getSubjectInputs(second.approval)).to.deep.include({
      openRequests: ['Is the manual up to date?'],
      commitsLeftOut: 1,
    });
    expect(notes)
      .to.contain('# Release 1.2.3')
      .and.contain('- Needs Node 20.')
      .and.not.contain(`(${excludedCommit.slice(0, 10)})\n`);
    expect(run).to.include({ status: 'completed', outcome: 'completed' });
    expect(await downloadText(runId, 'release-notes.md')).to.equal(notes);
    expect(run.artifacts.find(({ name }) => name === 'release-notes.md')?.sha256).to.equal(sha256(notes));
    expect(run.steps.map(({ elementId }) => elementId)).to.deep.equal([
      ...['asked', 'collect', 'any-commits', 'assess', 'draft', 'summarize', 'approve'],
      ...['draft', 'summarize', 'approve', 'publish', 'released'],
    ]);
  });

  it('should end with the outcome rejected and without release notes after a rejection', async () => {
    const { runId } = await start();
    const { approval } = await waitForApprovalAfter(runId, 0);

    await approver.decideApproval({
      approvalId: approval.approvalId,
      body: { decision: 'reject', comment: 'Not today.' },
    });

    const run = await waitUntilEnded(runId);
    expect(run).to.include({ status: 'failed', outcome: 'rejected' });
    expect(run.artifacts.map(({ name }) => name)).to.not.contain('release-notes.md');
  });

  it('should complete without an approval if there are no commits to release', async () => {
    const { runId } = await start({ from: 'HEAD', to: 'HEAD' });

    const run = await waitUntilEnded(runId);

    expect(run).to.include({ outcome: 'completed' });
    expect(run.steps.at(-1)?.elementId).to.equal('nothing');
  });

  it('should refuse to start a run with invalid inputs', async () => {
    for (const inputs of [
      { from: '--output=/tmp/x' },
      { to: '' },
      { repository: 3 },
      { version: 'a b' },
      { review: {} },
    ] as JsonObject[]) {
      const error = await start(inputs).catch((reason: unknown) => reason);

      expect(error, JSON.stringify(inputs)).to.be.instanceOf(ProblemError);
      expect((error as ProblemError).problem.status).to.equal(422);
    }
  });

  it('should fail immediately with an incident if the repository is not allowed', async () => {
    const { runId } = await start({ repository: '/' });

    expect(await waitForIncident(runId)).to.deep.include({ code: 'repository_not_allowed' });
    expect(await approver.getRun({ runId })).to.include({
      status: 'failed',
      outcome: null,
      recoverable: true,
      incidents: 1,
    });
  });
});
