import { compileWorkflowsOffThread } from '@countersign/bpmn';
import type { WorkflowVersionRecord } from '@countersign/core/ports';
import { expect } from 'chai';
import { WorkflowCache } from './workflow-cache.js';

const bpmnXml = `<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" targetNamespace="n">
  <process id="w" isExecutable="true">
  <startEvent id="begin" /><sequenceFlow id="flow" sourceRef="begin" targetRef="end" /><endEvent id="end" /></process></definitions>`;

/** The part of a storage that the cache reads. */
class FakeStorage {
  reads = 0;
  versions: WorkflowVersionRecord[] = [];
  isUnavailable = false;

  deploy(): void {
    const version = this.versions.length + 1;
    this.versions.push({
      workflowId: 'w',
      version,
      digest: `digest ${version}`,
      bpmnXml,
      deployedBy: 'ada',
    } as WorkflowVersionRecord);
  }

  async findWorkflowVersion(workflowId: string, version?: number): Promise<WorkflowVersionRecord | undefined> {
    this.reads += 1;
    // A read returns the state at its start.
    const found = this.versions.findLast(
      (each) => each.workflowId === workflowId && (version === undefined || each.version === version),
    );
    const { isUnavailable } = this;
    await new Promise(setImmediate);
    if (isUnavailable) throw new Error('unavailable');
    return found;
  }

  findWorkflowVersionByDigest(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}

const errorMessage = (error: unknown): string => (error instanceof Error ? error.message : '');

describe('WorkflowCache', () => {
  let stored: FakeStorage;
  let compileCount: number;
  let compile: typeof compileWorkflowsOffThread;
  let cache: WorkflowCache;

  beforeEach(() => {
    stored = new FakeStorage();
    stored.deploy();
    compileCount = 0;
    compile = compileWorkflowsOffThread;
    cache = new WorkflowCache(stored, (xml) => {
      compileCount += 1;
      return compile(xml);
    });
  });

  it('should read and compile a version once for concurrent callers', async () => {
    const found = await Promise.all([
      ...Array.from({ length: 20 }, () => cache.guessNewest('w')),
      ...Array.from({ length: 20 }, () => cache.get('w', 1)),
    ]);

    expect(new Set(found.map(({ version }) => version))).to.deep.equal(new Set([1]));
    expect(stored.reads).to.equal(2);
    expect(compileCount).to.be.at.most(2);
    await cache.guessNewest('w');
    await cache.get('w', 1);
    expect(stored.reads).to.equal(2);
  });

  for (const [description, find] of [
    ['the newest version', () => cache.guessNewest('w')],
    ['a version by its number', () => cache.get('w', 1)],
  ] as const) {
    it(`should find ${description} once the compiler thread is available again`, async () => {
      // given
      compile = () => Promise.reject(new Error('the thread died'));
      expect(await find().catch(errorMessage)).to.equal('the thread died');

      // when
      compile = compileWorkflowsOffThread;

      // then
      expect((await find()).graph.workflowId).to.equal('w');
      expect((await cache.get('w', 1)).graph.workflowId).to.equal('w');
    });

    it(`should find ${description} once the database is available again`, async () => {
      stored.isUnavailable = true;
      expect(await find().catch(errorMessage)).to.equal('unavailable');
      stored.isUnavailable = false;
      expect((await find()).version).to.equal(1);
    });
  }

  it('should find a version that was deployed during an earlier lookup', async () => {
    // given
    stored.versions = [];
    const before = cache.guessNewest('w').catch(errorMessage);
    stored.deploy();

    // when
    const after = cache.guessNewest('w');

    // then
    expect(await before).to.contain('There is no workflow "w"');
    expect((await after).version).to.equal(1);
  });

  it('should not cache a version as the newest if it was read before forgetNewest()', async () => {
    // given
    const before = cache.guessNewest('w');
    stored.deploy();
    cache.forgetNewest('w');

    // when
    const after = cache.guessNewest('w');

    // then
    expect((await before).version).to.equal(1);
    expect((await after).version).to.equal(2);
    expect((await cache.guessNewest('w')).version).to.equal(2);
  });
});
