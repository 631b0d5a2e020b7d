import type { IpcMainInvokeEvent } from 'electron';
import { expect } from 'chai';
import type { Log } from '../app/log.js';
import { serveMethods, type Handlers } from './serve-methods.js';

const OWN_EVENT = { own: true } as unknown as IpcMainInvokeEvent;
const FOREIGN_EVENT = { own: false } as unknown as IpcMainInvokeEvent;

describe('serveMethods', () => {
  const channels = new Map<string, (event: IpcMainInvokeEvent, ...args: unknown[]) => unknown>();
  let loggedEvents: string[];
  const calls: unknown[] = [];

  before(() => {
    const log: Log = {
      info: () => undefined,
      warn: (event) => void loggedEvents.push(event),
      failure: (event) => void loggedEvents.push(event),
    };
    const handlers = new Proxy(
      {},
      {
        get: (_target, name) => (input: unknown) =>
          name === 'openLink'
            ? Promise.reject(new Error('secret of the main process'))
            : void calls.push([name, input]),
      },
    ) as Handlers;
    serveMethods(
      { handle: (channel, listener) => void channels.set(channel, listener) },
      handlers,
      (event) => event === OWN_EVENT,
      log,
    );
  });

  beforeEach(() => {
    loggedEvents = [];
    calls.length = 0;
  });

  const call = async (event: IpcMainInvokeEvent, name: string, ...args: unknown[]): Promise<unknown> => {
    try {
      return await channels.get(`countersign:method:${name}`)?.(event, ...args);
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('should pass parsed arguments from the application’s own page to the method', async () => {
    await call(OWN_EVENT, 'addServer', { url: 'https://example.com', name: ' Work ' });
    expect(calls).to.deep.equal([['addServer', { url: 'https://example.com', name: 'Work' }]]);
  });

  it('should refuse foreign senders, invalid payloads and additional arguments without giving a reason', async () => {
    expect(await call(FOREIGN_EVENT, 'getState')).to.equal('Refused.');
    expect(await call(OWN_EVENT, 'addServer', { url: 1, name: '' })).to.equal('Refused.');
    expect(await call(OWN_EVENT, 'addServer', { url: 'x', name: '', more: 1 })).to.equal('Refused.');
    expect(await call(OWN_EVENT, 'getState', undefined, 1)).to.equal('Refused.');
    expect(calls).to.deep.equal([]);
    expect(loggedEvents).to.deep.equal(['ipc.foreign_sender', 'ipc.malformed', 'ipc.malformed', 'ipc.malformed']);
  });

  it('should not reveal the cause of a failure to the window', async () => {
    expect(await call(OWN_EVENT, 'openLink', { url: 'https://example.com' })).to.equal(
      'The action failed. See the application’s log for the reason.',
    );
    expect(loggedEvents).to.deep.equal(['ipc.failed']);
  });
});
