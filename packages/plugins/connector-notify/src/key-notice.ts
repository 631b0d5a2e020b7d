import type { SigningKeyRecord } from '@countersign/core/ports';
import type { Endpoint } from './configuration.js';
import { inStructuredMode, type Message, slackMessage } from './envelope.js';

/** An event in the life of a signing key. */
export interface KeyNotice {
  readonly kind: 'registered' | 'enrolled' | 'revoked';
  readonly key: SigningKeyRecord;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Returns the events of a key since a time (ms since the epoch), in the order registered, enrolled, revoked. A key that
 * counted immediately has no separate enrolment event.
 */
export function noticesOf(key: SigningKeyRecord, since: number): KeyNotice[] {
  const { createdAt, enrolment, revokedAt } = key;
  const enrolledAt = enrolment === null || enrolment.at === createdAt ? null : enrolment.at;
  return (
    [
      ['registered', createdAt],
      ['enrolled', enrolledAt],
      ['revoked', revokedAt],
    ] as const
  ).flatMap(([kind, at]) => (at === null || at < since ? [] : [{ kind, key, at }]));
}

/**
 * Builds the message for a key event.
 *
 * @param id id of the event
 * @param source source of this installation
 */
export function noticeFor(
  { Id, Kind }: Pick<Endpoint, 'Id' | 'Kind'>,
  notice: KeyNotice,
  id: string,
  source: string,
): Message {
  if (Kind === 'slack') return slackMessage({ endpoint: Id, text: wordsOf(notice), markup: false });
  const { keyId, name, subject, revokedBy } = notice.key;
  const enrolment = enrolmentAt(notice);
  return inStructuredMode(
    {
      id,
      source,
      type: `countersign.signing_key.${notice.kind}`,
      subject,
      data: {
        person: subject,
        keyId,
        name,
        enrolment: enrolment?.method ?? null,
        ...(notice.kind === 'enrolled' ? { enrolledBy: enrolment?.by ?? null } : {}),
        ...(notice.kind === 'revoked' ? { revokedBy } : {}),
      },
    },
    notice.at,
  );
}

/** Returns the enrolment at the time of the event, because a key may have been enrolled after it was registered. */
function enrolmentAt({ kind, key: { enrolment, createdAt } }: KeyNotice): SigningKeyRecord['enrolment'] {
  return kind === 'registered' && enrolment?.at !== createdAt ? null : enrolment;
}

function wordsOf(notice: KeyNotice): string {
  const {
    kind,
    key: { name, subject, keyId },
  } = notice;
  const key = `the signing key “${name}” (${keyId})`;
  const unlessThem = `If that was not ${subject}, revoke it immediately (“Signing key” in the desktop app), or ask an admin to revoke it.`;
  switch (kind) {
    case 'registered':
      return enrolmentAt(notice) === null
        ? `Someone signed in as ${subject} registered ${key}. Its votes do not count until it is enrolled. ${unlessThem}`
        : `${subject} registered ${key}. Votes that it signs now count. ${unlessThem}`;
    case 'enrolled':
      return `Votes signed with ${key} of ${subject} now count. ${unlessThem}`;
    case 'revoked':
      return `New votes signed with ${key} of ${subject} no longer count: it was revoked. Votes that already count remain valid.`;
  }
}
