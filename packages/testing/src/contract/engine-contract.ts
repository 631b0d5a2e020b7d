import { describeApprovals } from './engine/approvals-contract.js';
import { describeChildRuns } from './engine/child-runs-contract.js';
import { describeEnding } from './engine/ending-contract.js';
import { describeJobs } from './engine/jobs-contract.js';
import { describeMessages } from './engine/messages-contract.js';
import { describeMigration } from './engine/migration-contract.js';
import { describePastStates } from './engine/past-states-contract.js';
import { describeQuestions } from './engine/questions-contract.js';
import { describeRestarts } from './engine/restarts-contract.js';
import { describeSeveralServers } from './engine/several-servers-contract.js';
import { describeStarting } from './engine/starting-contract.js';
import { describeStatus } from './engine/status-contract.js';
import { describeTimers } from './engine/timers-contract.js';
import type { CreateTestEngine } from '../host/test-engine.js';

/**
 * Tests the contract of an engine, with real servers and a real PostgreSQL. Must be called in a Mocha spec. Parts that
 * need a capability are skipped for engines without it.
 */
export function describeEngine(name: string, create: CreateTestEngine): void {
  describe(`${name} as an EnginePort`, () => {
    describeStatus(create);
    describeStarting(create);
    describeJobs(create);
    describeApprovals(create);
    describeQuestions(create);
    describeTimers(create);
    describeMessages(create);
    describeChildRuns(create);
    describeEnding(create);
    describeMigration(create);
    describePastStates(create);
    describeRestarts(create);
    describeSeveralServers(create);
  });
}
