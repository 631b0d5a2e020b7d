import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHost, HostStartError, JobHandlerContribution } from '@countersign/core';
import { compileWorkflow } from '@countersign/bpmn';
import { ReleaseApprovalConfig } from './config.js';
import { releaseApprovalPlugin } from './index.js';

const modelUrl = new URL('../workflows/release-approval.bpmn', import.meta.url);

describe('releaseApprovalPlugin', () => {
  it('should provide a job handler for every job type of its BPMN model', async () => {
    const { graph } = await compileWorkflow(await readFile(modelUrl));
    const host = createHost({ plugins: [releaseApprovalPlugin] });

    const types = [...graph.nodes.values()].flatMap((node) =>
      node.kind === 'jobTask' && 'literal' in node.jobType ? [node.jobType.literal] : [],
    );

    expect(types).to.have.length(4);
    expect(host.getAll(JobHandlerContribution).map(({ jobType }) => jobType)).to.have.members(types);
  });

  it('should let the engine resolve the approval and return to the draft on requested changes', async () => {
    const { graph } = await compileWorkflow(await readFile(modelUrl));

    const task = graph.nodes.get('approve');

    expect(task?.kind === 'userTask' && task.approval).to.include({ outcomeHandledByBpmn: false, reworkStep: 'draft' });
  });

  it('should allow no repository by default', () => {
    const host = createHost({ plugins: [releaseApprovalPlugin] });

    expect(host.get(ReleaseApprovalConfig)).to.deep.equal({
      repositoryRoots: [],
      gitTimeoutMs: 30_000,
      maxCommits: 1000,
      maxDiffBytes: 10_000_000,
    });
  });

  it('should read its configuration from environment variables', () => {
    const environment = {
      Examples__ReleaseApproval__RepositoryRoots__0: 'repositories',
      Examples__ReleaseApproval__MaxCommits: '20',
    };
    const host = createHost({ plugins: [releaseApprovalPlugin], configuration: { environment } });

    expect(host.get(ReleaseApprovalConfig)).to.deep.include({
      repositoryRoots: [join(process.cwd(), 'repositories')],
      maxCommits: 20,
    });
  });

  it('should refuse to start when a limit is out of range', () => {
    const overrides = { Examples: { ReleaseApproval: { MaxCommits: 0 } } };

    expect(() => createHost({ plugins: [releaseApprovalPlugin], configuration: { overrides } })).to.throw(
      HostStartError,
      'MaxCommits',
    );
  });
});
