import { describeAbsences } from './storage/absences-contract.js';
import { describeAudit } from './storage/audit-contract.js';
import { describeChangeFeed } from './storage/change-feed-contract.js';
import { describeComments } from './storage/comments-contract.js';
import { describeCommit } from './storage/commit-contract.js';
import { describeDecisions } from './storage/decisions-contract.js';
import { describeFreeText } from './storage/free-text-contract.js';
import { describeEngineRegister } from './storage/engine-register-contract.js';
import { describeExternalEngines } from './storage/external-engines-contract.js';
import { describeJobs } from './storage/jobs-contract.js';
import { describeInboundEvents } from './storage/inbound-events-contract.js';
import { describeMessages } from './storage/messages-contract.js';
import { describeOutbox } from './storage/outbox-contract.js';
import { describePages } from './storage/pages-contract.js';
import { describePolicyDecisions } from './storage/policy-decisions-contract.js';
import { describeQuestions } from './storage/questions-contract.js';
import { describeRunDetails } from './storage/run-details-contract.js';
import { describeSettings } from './storage/settings-contract.js';
import { describeStartEvents } from './storage/start-events-contract.js';
import { describeStatistics } from './storage/statistics-contract.js';
import { describePeople } from './storage/people-contract.js';
import { describeUserNames } from './storage/user-names-contract.js';
import { describeWorkflows } from './storage/workflows-contract.js';
import type { StorageUnderTest, StorageGetter } from './storage-under-test.js';

/** Tests the contract of a storage. Must be called in a Mocha spec. */
export function describeStorage(name: string, create: () => Promise<StorageUnderTest>): void {
  describe(`${name} as a StoragePort`, () => {
    let subject: StorageUnderTest | undefined;
    const getStorage: StorageGetter = () => {
      if (subject === undefined) throw new Error('The storage is available only while a test runs.');
      return subject;
    };

    beforeEach(async () => {
      subject = await create();
    });

    afterEach(async () => {
      await subject?.dispose();
    });

    it('should respond to a check', async () => {
      await getStorage().storage.check();
    });

    describeCommit(getStorage);
    describeJobs(getStorage);
    describeExternalEngines(getStorage);
    describeEngineRegister(getStorage);
    describeMessages(getStorage);
    describeInboundEvents(getStorage);
    describeOutbox(getStorage);
    describeRunDetails(getStorage);
    describeQuestions(getStorage);
    describeFreeText(getStorage);
    describePages(getStorage);
    describeComments(getStorage);
    describePolicyDecisions(getStorage);
    describeStatistics(getStorage);
    describeChangeFeed(getStorage);
    describeAbsences(getStorage);
    describeUserNames(getStorage);
    describePeople(getStorage);
    describeAudit(getStorage);
    describeWorkflows(getStorage);
    describeDecisions(getStorage);
    describeStartEvents(getStorage);
    describeSettings(getStorage);
  });
}
