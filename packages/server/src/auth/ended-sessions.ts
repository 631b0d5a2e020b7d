import { createHash } from 'node:crypto';
import { toIdentity } from '@countersign/contract';
import type { ClockPort, EndedSession, EndedSessionsStore, LoggerPort } from '@countersign/core';
import { FailureLog } from '@countersign/core/plugin';
import type { Logout } from './logout-token.js';
import type { Principal } from './principal.js';

/** Interval of polling for sessions that ended on other servers, in ms. */
const POLL_INTERVAL_MS = 2_000;
/** Time that an ended session is remembered beyond the longest lifetime of its tokens, in ms. */
const EXTRA_RETENTION_MS = 3_600_000;

type SessionOwner = Pick<Principal, 'actor' | 'session'>;

/**
 * Sessions that the issuer ended before their tokens expired. Every server keeps all of them in memory, so that
 * requests do not query the database, and polls for new ones every two seconds.
 */
export class EndedSessions {
  private endedByKey = new Map<string, EndedSession>();
  private position: number | null = null;
  private loading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private stopped = false;
  private readonly failures: FailureLog;
  /** Called when sessions were added. */
  onSessionsEnded: (() => void) | undefined;

  constructor(
    private readonly store: EndedSessionsStore,
    log: LoggerPort,
    /** The clock by which tokens are verified. */
    private readonly clock: Pick<ClockPort, 'now'>,
    /** Maximum lifetime of tokens, in ms. */
    private readonly maxTokenAgeMs: number,
  ) {
    this.failures = new FailureLog(log, 'ended sessions cannot be read');
  }

  /**
   * Resolves when the ended sessions have been loaded.
   *
   * @throws the error of the storage; the next call retries
   */
  waitUntilLoaded(): Promise<void> {
    this.loading ??= this.poll().then(
      () => this.schedulePoll(),
      (error: unknown) => {
        this.loading = undefined;
        throw error;
      },
    );
    return this.loading;
  }

  has({ actor, session: { sid, issuedAt } }: SessionOwner): boolean {
    if (this.endedByKey.size === 0) return false;
    const keys = sid === null ? [personKey(actor.id), sessionlessPersonKey(actor.id)] : [personKey(actor.id)];
    if (sid !== null && this.endedByKey.has(sessionKey(sid))) return true;
    return keys.some((key) => issuedAt <= (this.endedByKey.get(key)?.endedAt ?? -1));
  }

  /**
   * Records the end of a session or of all sessions of a person.
   *
   * @returns whether the logout message is new
   */
  async end({ jti, sid, subject, issuedAt }: Logout): Promise<boolean> {
    const keptUntil = this.clock.now() + this.maxTokenAgeMs + EXTRA_RETENTION_MS;
    const person = subject === null ? undefined : (toIdentity(subject) ?? subject);
    const keys = [
      ...(sid === null ? [] : [sessionKey(sid)]),
      // An access token need not contain a session id. Earlier tokens of the person without a session id end together
      // with the session.
      ...(person === undefined ? [] : [sid === null ? personKey(person) : sessionlessPersonKey(person)]),
    ];
    const isNew = await this.store.endSessions(
      digest('message', jti),
      keys.map((key) => ({ key, endedAt: issuedAt, keptUntil })),
    );
    await this.poll();
    return isNew;
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
  }

  private schedulePoll(): void {
    if (this.stopped) return;
    this.timer = setTimeout(() => {
      void this.poll()
        .then(
          () => this.failures.recordSuccess(),
          (error: unknown) => this.failures.recordFailure(error),
        )
        .then(() => this.schedulePoll());
    }, POLL_INTERVAL_MS);
    this.timer.unref();
  }

  private async poll(): Promise<void> {
    const { sessions, position } = await this.store.listEndedSince(this.position);
    this.position = position;
    const previous = this.endedByKey;
    const now = this.clock.now();
    const next = new Map([...previous].filter(([, { keptUntil }]) => keptUntil > now));
    let hasNewSessions = false;
    for (const session of sessions) {
      hasNewSessions ||= (previous.get(session.key)?.endedAt ?? -1) < session.endedAt;
      next.set(session.key, session);
    }
    this.endedByKey = next;
    if (hasNewSessions) this.onSessionsEnded?.();
  }
}

function sessionKey(sid: string): string {
  return digest('session', sid);
}

function personKey(subject: string): string {
  return digest('person', subject);
}

function sessionlessPersonKey(subject: string): string {
  return digest('person without session', subject);
}

function digest(kind: string, name: string): string {
  return createHash('sha256').update(`${kind}\0${name}`).digest('hex');
}
