import { waitUntil } from '@countersign/testing';
import { expect } from 'chai';
import { createTemporalHost, useTemporalHost } from './temporal-host.spec.support.js';
import { describeOnTemporal } from './temporal-server.spec.support.js';

describeOnTemporal('engine health', function () {
  this.timeout(60_000);
  const context = useTemporalHost();

  it('should report the topology to operators', async () => {
    const { host } = context;
    const operator = await host.client('operator');
    const { topology, ...health } = await waitUntil('the workers poll', async () => {
      const response = await operator.getEngine();
      const { taskQueues = [] } = response.topology ?? {};
      return (
        taskQueues.length > 0 &&
        taskQueues.every(({ pollers, backlog }) => pollers.length > 0 && backlog === 0) &&
        response
      );
    });

    expect(health).to.deep.equal({ external: true, adapter: 'temporal', status: 'ok' });
    expect(topology).to.include({ clusterName: 'active', serverVersion: '1.30.4', persistenceStore: 'sqlite' });
    expect(topology?.members?.map(({ role }) => role)).to.have.members(['frontend', 'history', 'matching', 'worker']);
    expect(topology?.members?.find(({ role }) => role === 'history')?.shards).to.deep.equal([1]);
    expect(topology?.taskQueues.map(({ name, backlog }) => `${name} ${backlog}`)).to.include.members([
      'countersign 0',
      'countersign:job:work 0',
    ]);
    expect(topology?.announcements).to.deep.equal({ pending: 0, oldestAgeSeconds: null });
    expect((await operator.getRuntime()).mode).to.equal('temporal');
  });

  it('should not report the topology to others', async () => {
    const { viewer } = context;

    expect(await viewer.getEngine()).to.deep.equal({
      external: true,
      adapter: 'temporal',
      status: 'ok',
      topology: null,
    });
  });

  it('should name a missing namespace and how to create it', async () => {
    // given
    const { server } = context;
    const threadCount = countThreads();
    const other = await createTemporalHost(server, { configuration: server.configure({ Namespace: 'nowhere' }) });
    try {
      const operator = await other.client('operator');

      // when
      const check = await waitUntil('the engine reports the namespace', async () => {
        const { checks } = await operator.getReady();
        return checks.find(({ detail }) => detail?.includes('namespace') === true);
      });

      // then
      expect(check.detail).to.contain(
        'has no namespace "nowhere". Create it (temporal operator namespace create -n nowhere), or set Engine:Temporal:Namespace.',
      );
      expect((await operator.getEngine()).status).to.equal('fail');
      // The SDK leaks the threads of each worker that it cannot create.
      expect(countThreads()).to.equal(threadCount);
    } finally {
      await other.close();
    }
  });
});

/** Returns the number of ports to threads that keep this process running. */
function countThreads(): number {
  return process.getActiveResourcesInfo().filter((resource) => resource === 'MessagePort').length;
}
