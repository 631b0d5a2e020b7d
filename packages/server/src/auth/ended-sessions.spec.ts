import type { EndedSession } from '@countersign/core';
import { expect } from 'chai';
import { EndedSessions } from './ended-sessions.js';

const HOUR_MS = 3_600_000;
/** Time of the injected clock. It is far in the past, so a wrong use of the system clock changes the results. */
const NOW = Date.UTC(2001, 0, 1);
const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };

describe('EndedSessions', () => {
  let now: number;
  let storedSessions: EndedSession[];
  let endedSessions: EndedSessions;

  beforeEach(() => {
    now = NOW;
    storedSessions = [];
    const store = {
      endSessions: (_message: string, sessions: readonly EndedSession[]) => {
        storedSessions.push(...sessions);
        return Promise.resolve(true);
      },
      listEndedSince: (position: number | null) =>
        Promise.resolve({ sessions: storedSessions.slice(position ?? 0), position: storedSessions.length }),
    };
    endedSessions = new EndedSessions(store, log, { now: () => now }, HOUR_MS);
  });

  const endSession = (jti: string, sid: string) => endedSessions.end({ jti, sid, subject: null, issuedAt: now });
  const isEnded = (sid: string) =>
    endedSessions.has({ actor: { type: 'user', id: 'ada', name: null }, session: { sid, issuedAt: NOW } });

  it('should remember an ended session for the maximum age of its tokens, measured by the clock that verifies them', async () => {
    // given
    await endSession('message-1', 'session-1');
    // when
    now = NOW + HOUR_MS;
    await endSession('message-2', 'session-2');
    // then
    expect([isEnded('session-1'), isEnded('session-2'), isEnded('session-3')]).to.deep.equal([true, true, false]);
  });

  it('should forget a session whose tokens have all expired', async () => {
    // given
    await endSession('message-1', 'session-1');
    // when
    now = NOW + 2 * HOUR_MS;
    await endSession('message-2', 'session-2');
    // then
    expect([isEnded('session-1'), isEnded('session-2')]).to.deep.equal([false, true]);
  });
});
