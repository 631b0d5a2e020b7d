import type { Knex } from 'knex';
import { initialSchema } from './0001-initial-schema.js';
import { filedUnder } from './0002-filed-under.js';
import { outboundDeliveries } from './0003-outbound-deliveries.js';
import { agents } from './0004-agents.js';
import { toolPins } from './0005-tool-pins.js';
import { decisionsAndInboxes } from './0006-decisions-and-inboxes.js';
import { signingKeys } from './0007-signing-keys.js';
import { absences } from './0008-absences.js';
import { signingKeyEnrolment } from './0009-signing-key-enrolment.js';
import { endedSessions } from './0010-ended-sessions.js';
import { rateCounts } from './0011-rate-counts.js';
import { shownEvidence } from './0012-shown-evidence.js';
import { contributorsUnderWay } from './0013-contributors-under-way.js';
import { deliveriesWithoutRun } from './0014-deliveries-without-run.js';
import { userNames } from './0015-user-names.js';
import { userNameSources } from './0016-user-name-sources.js';
import { absencesByName } from './0017-absences-by-name.js';
import { engines } from './0018-engines.js';
import { workOfExternalEngines } from './0019-work-of-external-engines.js';
import { engineRegister } from './0020-engine-register.js';
import { subjectsInOrder } from './0021-subjects-in-order.js';
import { searchApprovals } from './0022-search-approvals.js';
import { runsNeedingAttention } from './0023-runs-needing-attention.js';
import { people } from './0024-people.js';
import { questionsByDueDate } from './0025-questions-by-due-date.js';
import { approvalComments } from './0026-approval-comments.js';

/** One step of the schema. Migrations cannot be reverted; restore a backup instead. */
export interface Migration {
  readonly name: string;
  up(knex: Knex): Promise<void>;
}

/** Migrations in the order of their application; append-only. */
export const MIGRATIONS: readonly Migration[] = Object.freeze([
  initialSchema,
  filedUnder,
  outboundDeliveries,
  agents,
  toolPins,
  decisionsAndInboxes,
  signingKeys,
  absences,
  signingKeyEnrolment,
  endedSessions,
  rateCounts,
  shownEvidence,
  contributorsUnderWay,
  deliveriesWithoutRun,
  userNames,
  userNameSources,
  absencesByName,
  engines,
  workOfExternalEngines,
  engineRegister,
  subjectsInOrder,
  searchApprovals,
  runsNeedingAttention,
  people,
  questionsByDueDate,
  approvalComments,
]);
