import { inject, injectable } from 'inversify';
import { AUDIT_TRAIL_FORMAT, findAuditGaps } from '@countersign/model/evidence';
import { GENESIS_HASH } from '@countersign/model';
import { ClockPort } from '../ports/clock.js';
import { SigningKeyStore } from '../ports/signing-keys.js';
import { StoragePort } from '../ports/storage.js';
import { ApplicationSettings } from './application-settings.js';
import type { Caller } from './caller.js';
import type { EvidencePackView } from './evidence-pack.js';
import { inputError } from './errors.js';
import { toTimestamp } from './views/to-json-response.js';
import { toEvidenceAuditEventView, type EvidenceAuditEventView } from './views/audit-view.js';

type ChainLink = { seq: number; hash: string };

/** Part of the server's audit chain, with everything needed to verify it without the server. */
export type AuditTrailView = {
  schema: typeof AUDIT_TRAIL_FORMAT;
  generatedAt: string;
  generatedBy: string;
  server: { version: string; serverId: string };
  auditEvents: EvidenceAuditEventView[];
  laterErasures: EvidenceAuditEventView[];
  notCovered: EvidencePackView['notCovered'];
  chain: { algorithm: 'sha256'; canonicalisation: 'RFC 8785'; genesis: string; previous: ChainLink; head: ChainLink };
  /** Position after which the next part starts; `null` if this part reaches the end of the chain. */
  nextAfter: number | null;
};

export interface AuditTrailRequest {
  /** Position after which to start; 0 for the start of the chain. */
  readonly after: number;
  readonly limit: number;
}

/**
 * Exports the server's audit chain, which contains the entries that are in no run's chain: deployments, absences, keys,
 * settings, refusals and more.
 */
@injectable()
export class ExportAuditTrail {
  constructor(
    @inject(StoragePort) private readonly storage: StoragePort,
    @inject(SigningKeyStore) private readonly signingKeys: SigningKeyStore,
    @inject(ClockPort) private readonly clock: ClockPort,
    @inject(ApplicationSettings) private readonly settings: ApplicationSettings,
  ) {}

  /** @throws {ApiError} `invalid_parameter` if there is no entry at `after` */
  async export({ after, limit }: AuditTrailRequest, caller: Caller): Promise<AuditTrailView> {
    const previous = await this.findChainLink(after);
    const records = await this.storage.listServerAudit(after, limit + 1);
    const auditEvents = records.slice(0, limit).map(toEvidenceAuditEventView);
    const { seq, hash } = auditEvents.at(-1) ?? previous;
    const laterErasures = (await this.storage.listServerErasures(seq)).map(toEvidenceAuditEventView);
    return {
      schema: AUDIT_TRAIL_FORMAT,
      generatedAt: toTimestamp(this.clock.now()),
      generatedBy: caller.actor.id,
      server: { version: this.settings.serverVersion, serverId: await this.signingKeys.getServerId() },
      auditEvents,
      laterErasures,
      notCovered: findAuditGaps(auditEvents, laterErasures).map(({ code, events, explanation }) => ({
        code,
        events: [...events],
        explanation,
      })),
      chain: {
        algorithm: 'sha256',
        canonicalisation: 'RFC 8785',
        genesis: GENESIS_HASH,
        previous,
        head: { seq, hash },
      },
      nextAfter: records.length > limit ? seq : null,
    };
  }

  private async findChainLink(position: number): Promise<ChainLink> {
    if (position === 0) return { seq: 0, hash: GENESIS_HASH };
    const [found] = await this.storage.listServerAudit(position - 1, 1);
    if (found?.seq !== position)
      throw inputError('invalid_parameter', `The audit trail has no entry ${position}.`, [
        { pointer: '/query/after', code: 'invalid', message: 'Must be the position of an entry.' },
      ]);
    return { seq: found.seq, hash: found.hash };
  }
}
