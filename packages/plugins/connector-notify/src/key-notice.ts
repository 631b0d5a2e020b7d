import type { SigningKeyRecord } from '@countersign/core/ports';
import type { Endpoint } from './configuration.js';
import { serializeEvent, type Message, buildSlackMessage } from './envelope.js';

/** An event in the life of a signing key. */
export interface KeyNotice {
  readonly kind: 'registered' | 'enrolled' | 'revoked';
  readonly key: SigningKeyRecord;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Returns the events of a key since a time (ms since the epoch), in the order registered, enrolled, revoked. A key that
 * was enrolled when it was registered has no separate enrolment event.
 */
export function listNotices(key: SigningKeyRecord, since: number): KeyNotice[] {
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
export function buildNoticeMessage(
  { Id, Kind }: Pick<Endpoint, 'Id' | 'Kind'>,
  notice: KeyNotice,
  id: string,
  source: string,
): Message {
  if (Kind === 'slack') return buildSlackMessage({ endpoint: Id, text: noticeText(notice), markup: false });
  const { keyId, name, subject, revokedBy } = notice.key;
  const enrolment = findEnrolment(notice);
  return serializeEvent(
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
function findEnrolment({ kind, key: { enrolment, createdAt } }: KeyNotice): SigningKeyRecord['enrolment'] {
  return kind === 'registered' && enrolment?.at !== createdAt ? null : enrolment;
}

function noticeText(notice: KeyNotice): string {
  const {
    kind,
    key: { name, subject, keyId },
  } = notice;
  const keyDescription = `the signing key “${name}” (${keyId})`;
  const revokeAdvice = `If that was not ${subject}, revoke it immediately (“Signing key” in the desktop app), or ask an admin to revoke it.`;
  switch (kind) {
    case 'registered':
      return findEnrolment(notice) === null
        ? `Someone signed in as ${subject} registered ${keyDescription}. Its votes do not count until it is enrolled. ${revokeAdvice}`
        : `${subject} registered ${keyDescription}. Votes that it signs now count. ${revokeAdvice}`;
    case 'enrolled':
      return `Votes signed with ${keyDescription} of ${subject} now count. ${revokeAdvice}`;
    case 'revoked':
      return `New votes signed with ${keyDescription} of ${subject} no longer count: it was revoked. Votes that already count remain valid.`;
  }
}
