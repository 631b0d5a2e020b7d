import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createHost, HostStartError, JobHandlerContribution } from '@countersign/core';
import { compileWorkflow } from '@countersign/bpmn';
import { ReleaseApprovalConfig } from './config.js';
import { releaseApprovalPlugin } from './index.js';

const model = new URL('../workflows/release-approval.bpmn', import.meta.url);

describe('releaseApprovalPlugin', () => {
  it('should do every job of its model', async () => {
    const { graph } = await compileWorkflow(await readFile(model));
    const host = createHost({ plugins: [releaseApprovalPlugin] });

    const types = [...graph.nodes.values()].flatMap((node) =>
      node.kind === 'jobTask' && 'literal' in node.jobType ? [node.jobType.literal] : [],
    );

    expect(types).to.have.length(4);
    expect(host.getAll(JobHandlerContribution).map(({ jobType }) => jobType)).to.have.members(types);
  });

  it('should leave decisions to the engine, and go back to the draft when changes are asked for', async () => {
    const { graph } = await compileWorkflow(await readFile(model));

    const task = graph.nodes.get('approve');

    expect(task?.kind === 'userTask' && task.approval).to.include({ decidedByModel: false, reworkStep: 'draft' });
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

  it('should take its configuration from the environment', () => {
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

  it('should not start with limits that make no sense', () => {
    const overrides = { Examples: { ReleaseApproval: { MaxCommits: 0 } } };

    expect(() => createHost({ plugins: [releaseApprovalPlugin], configuration: { overrides } })).to.throw(
      HostStartError,
      'MaxCommits',
    );
  });
});
