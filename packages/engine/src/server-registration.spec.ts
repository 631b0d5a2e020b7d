import { expect } from 'chai';
import type { LoggerPort } from '@countersign/core/plugin';
import { waitUntil } from '@countersign/model/testing';
import { ServerRegistration } from './server-registration.js';

const ignore = (): void => undefined;
const quiet = { info: ignore, warn: ignore, error: ignore, debug: ignore } as unknown as LoggerPort;

describe('ServerRegistration', () => {
  let servers: Set<string>;
  let respond: () => Promise<void>;
  let registration: ServerRegistration;

  beforeEach(() => {
    servers = new Set();
    respond = () => Promise.resolve();
    const storage = {
      recordServer: async ({ serverId, engine }: { serverId: string; engine: string }) => {
        await respond();
        servers.add(`${serverId} ${engine}`);
      },
      removeServer: async () => {
        await respond();
        servers.clear();
      },
    };
    registration = new ServerRegistration(storage, 'one', () => 'embedded', quiet);
  });

  afterEach(() => registration.stop());

  it('should register the server until it stops', async () => {
    await registration.start();
    expect([...servers]).to.deep.equal(['one embedded']);
    await registration.stop();
    expect([...servers]).to.deep.equal([]);
  });

  it('should register the server later if the database is unavailable', async () => {
    // given
    respond = () => Promise.reject(new Error('unavailable'));
    await registration.start();
    expect([...servers]).to.deep.equal([]);

    // when
    respond = () => Promise.resolve();

    // then
    await waitUntil('the server is registered', async () => servers.size === 1);
  });

  for (const [state, withoutResponse] of [
    ['does not respond', () => new Promise<void>(ignore)],
    ['is unavailable', () => Promise.reject(new Error('unavailable'))],
  ] as const) {
    it(`should delay neither the start nor the stop of the server if the database ${state}`, async () => {
      respond = withoutResponse;
      await registration.start();
      await registration.stop();
      expect([...servers]).to.deep.equal([]);
    });
  }
});
