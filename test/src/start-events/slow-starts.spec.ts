import { EnginePort, StoragePort, type RequestContext } from '@countersign/core';
import { createTestHost, processModel, type TestHost } from '@countersign/testing';
import { expect } from 'chai';

const VERA_CONTEXT: RequestContext = { actor: { type: 'user', id: 'vera', name: null }, from: null, traceId: null };
/** More than the number of parallel transactions. */
const RUN_COUNT = 5;

describe('starts of a workflow that takes long to load', () => {
  let secondServer: TestHost;
  let countersign: TestHost;
  /** Releases the read of the workflow `slow`. */
  let release: () => void;
  /** Resolves when the read of the workflow `slow` has begun. */
  let slowReadBegan: Promise<void>;

  before(async () => {
    secondServer = await createTestHost();
    for (const workflowId of ['slow', 'quick']) {
      const elements = '<bpmn:startEvent id="start" /><bpmn:userTask id="ok" /><bpmn:endEvent id="end" />';
      await secondServer.deploy(processModel(workflowId, elements, 'start > ok', 'ok > end'));
    }
  });

  beforeEach(async () => {
    // A new server, which has not compiled anything yet.
    countersign = await createTestHost({ shareDataWith: secondServer });
    const storage = countersign.host.get(StoragePort);
    const findWorkflowVersion = storage.findWorkflowVersion.bind(storage);
    const released = new Promise<void>((resolve) => (release = resolve));
    let reportSlowRead: () => void;
    slowReadBegan = new Promise<void>((resolve) => (reportSlowRead = resolve));
    storage.findWorkflowVersion = async (workflowId, version) => {
      if (workflowId === 'slow') {
        reportSlowRead();
        await released;
      }
      return findWorkflowVersion(workflowId, version);
    };
  });

  afterEach(async () => {
    release();
    await countersign.close();
  });

  after(() => secondServer.close());

  async function start(workflowId: string): Promise<string> {
    const respond = ({ run }: { run: { runId: string } }) => ({ runId: run.runId });
    const { response } = await countersign.host
      .get(EnginePort)
      .startRun({ context: VERA_CONTEXT, workflowId, businessKey: null, inputs: {}, respond });
    return String(response['runId']);
  }
  const listRunIds = async (workflowId: string) =>
    (await secondServer.host.get(StoragePort).listRuns({ workflowId }, { limit: 100 })).items.map(({ runId }) => runId);

  it('should not delay starts of other workflows', async () => {
    // given
    const slow = Array.from({ length: RUN_COUNT }, () => start('slow'));

    // when: some starts share a transaction, and one start follows later
    const quick = await Promise.all(Array.from({ length: RUN_COUNT }, () => start('quick')));
    quick.push(await start('quick'));

    // then
    expect(await listRunIds('quick')).to.have.members(quick);
    expect(await listRunIds('slow')).to.deep.equal([]);
    release();
    const started = await Promise.all(slow);
    expect(await listRunIds('slow')).to.have.members(started);
  });

  it('should finish before the server stops', async () => {
    // given
    const slow = start('slow');
    await slowReadBegan;

    // when
    const stopped = countersign.host.stop();
    release();
    await stopped;

    // then
    expect(await listRunIds('slow')).to.include(await slow);
  });
});
