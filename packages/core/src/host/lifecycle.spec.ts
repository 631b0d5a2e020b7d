import { expect } from 'chai';
import { LifecycleContribution } from '../contributions/lifecycle.js';
import { createHost } from '../built-in/create-host.js';
import { definePlugin } from './define-plugin.js';
import { HostStartError } from '../errors/host-start-error.js';
import { HostStopError } from './host-stop-error.js';

describe('lifecycle of a host', () => {
  let log: string[];

  beforeEach(() => {
    log = [];
  });

  const createPartPlugin = (name: string, { start = () => Promise.resolve(), stop = () => Promise.resolve() } = {}) =>
    definePlugin({
      id: name,
      register: ({ contribute }) =>
        contribute(
          LifecycleContribution,
          class {
            readonly name = name;
            async start() {
              await start();
              log.push(`${name} started`);
            }
            async stop() {
              log.push(`${name} stopping`);
              await stop();
            }
          },
        ),
    });
  const failWith = (message: string) => () => Promise.reject(Object.assign(new Error(message), { code: 'disk_full' }));

  it('should start plugins in registration order and stop them in reverse order', async () => {
    const host = createHost({
      plugins: [createPartPlugin('database'), createPartPlugin('engine'), createPartPlugin('server')],
    });

    await host.start();
    await host.stop();

    expect(log).to.deep.equal([
      'database started',
      'engine started',
      'server started',
      'server stopping',
      'engine stopping',
      'database stopping',
    ]);
  });

  it('should stop the started plugins when another plugin fails to start, and report the reason', async () => {
    const host = createHost({
      plugins: [
        createPartPlugin('database'),
        createPartPlugin('engine', { start: failWith('no room') }),
        createPartPlugin('server'),
      ],
    });

    const error = await host.start().then(
      () => undefined,
      (reason: unknown) => reason,
    );

    expect(error)
      .to.be.instanceOf(HostStartError)
      .with.property('message')
      .that.contains('engine did not start: no room');
    expect((error as HostStartError).problems.map(({ code }) => code)).to.deep.equal(['disk_full']);
    expect(log).to.deep.equal(['database started', 'database stopping']);
    await host.stop();
    expect(log, 'nothing is stopped twice').to.have.length(2);
  });

  it('should stop the remaining plugins when some fail to stop or hang, and report each failure', async () => {
    const hangForever = () => new Promise<void>(() => undefined);
    const host = createHost({
      plugins: [
        createPartPlugin('database'),
        createPartPlugin('engine', { stop: failWith('jammed') }),
        createPartPlugin('server', { stop: hangForever }),
      ],
      stopTimeoutMs: 5,
    });
    await host.start();

    const error = await host.stop().then(
      () => undefined,
      (reason: unknown) => reason,
    );

    expect(error).to.be.instanceOf(HostStopError);
    expect((error as HostStopError).failures.map(({ name }) => name)).to.deep.equal(['server', 'engine']);
    expect((error as HostStopError).message)
      .to.contain('server did not stop within 5 ms')
      .and.contain('jammed');
    expect(log.at(-1)).to.equal('database stopping');
  });
});
