import type { IpcMainInvokeEvent } from 'electron';
import { expect } from 'chai';
import type { Log } from '../app/log.js';
import { serveMethods, type Handlers } from './serve-methods.js';

const OWN = { own: true } as unknown as IpcMainInvokeEvent;
const FOREIGN = { own: false } as unknown as IpcMainInvokeEvent;

describe('serveMethods', () => {
  const channels = new Map<string, (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown>();
  let logged: string[];
  const calls: unknown[] = [];

  before(() => {
    const log: Log = {
      info: () => undefined,
      warn: (event) => void logged.push(event),
      failure: (event) => void logged.push(event),
    };
    const handlers = new Proxy(
      {},
      {
        get: (_all, name) => (input: unknown) =>
          name === 'openLink'
            ? Promise.reject(new Error('secret of the main process'))
            : void calls.push([name, input]),
      },
    ) as Handlers;
    serveMethods(
      { handle: (channel, listener) => void channels.set(channel, listener) },
      handlers,
      (event) => event === OWN,
      log,
    );
  });

  beforeEach(() => {
    logged = [];
    calls.length = 0;
  });

  const call = async (event: IpcMainInvokeEvent, name: string, ...args: unknown[]): Promise<unknown> => {
    try {
      return await channels.get(`countersign:method:${name}`)?.(event, ...args);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('should pass the parsed arguments of its own page to the method', async () => {
    await call(OWN, 'addServer', { url: 'https://example.com', name: ' Work ' });
    expect(calls).to.deep.equal([['addServer', { url: 'https://example.com', name: 'Work' }]]);
  });

  it('should refuse foreign senders, invalid payloads and additional arguments without giving a reason', async () => {
    expect(await call(FOREIGN, 'getState')).to.equal('Refused.');
    expect(await call(OWN, 'addServer', { url: 1, name: '' })).to.equal('Refused.');
    expect(await call(OWN, 'addServer', { url: 'x', name: '', more: 1 })).to.equal('Refused.');
    expect(await call(OWN, 'getState', undefined, 1)).to.equal('Refused.');
    expect(calls).to.deep.equal([]);
    expect(logged).to.deep.equal(['ipc.foreign_sender', 'ipc.malformed', 'ipc.malformed', 'ipc.malformed']);
  });

  it('should not reveal the cause of a failure to the window', async () => {
    expect(await call(OWN, 'openLink', { url: 'https://example.com' })).to.equal(
      'The action failed. See the application’s log for the reason.',
    );
    expect(logged).to.deep.equal(['ipc.failed']);
  });
});
