import type { AbsenceRecord, ApprovalFilter } from '@countersign/core/ports';
import type { ApprovalRecord, AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import type { StorageGetter } from '../storage-under-test.js';
import {
  createApprovalRecord,
  createPersonToken,
  deploy,
  nextId,
  createRunRecord,
  createRunWrite,
} from '../storage-fixtures.js';
import { readAll } from './read-all.js';
import { currentTime } from '@countersign/model/testing';

const HOUR_MS = 3_600_000;

/** Returns an absence of Ada from an hour ago until an hour from now, by default. */
const createAbsence = ({ subject = 'ada', ...overrides }: Partial<AbsenceRecord> = {}): AbsenceRecord => ({
  absenceId: nextId(),
  subject,
  substitute: 'bob',
  from: currentTime() - HOUR_MS,
  until: currentTime() + HOUR_MS,
  setAt: currentTime() - HOUR_MS,
  setBy: subject,
  awaitsSignIn: false,
  ...overrides,
});
const endedPeriod = { until: currentTime() - 1 };
const futurePeriod = { from: currentTime() + HOUR_MS / 2 };
const createAuditEntry = (action: string): AuditEntry => ({
  at: currentTime(),
  actor: { type: 'user', id: 'root', name: 'Root' },
  action,
  target: { type: 'absence' },
  result: 'ok',
  from: null,
  data: {},
});
const pickActiveFields = ({ absenceId, subject, substitute, from, until }: AbsenceRecord) => ({
  absenceId,
  subject,
  substitute,
  from,
  until,
});

export function describeAbsences(getStorage: StorageGetter): void {
  describe('absences', () => {
    const setAbsence = (record: AbsenceRecord, storage = getStorage().storage) =>
      storage.setAbsence(record, createAuditEntry('absence.set'));
    const listAuditEntries = async () =>
      [...(await getStorage().storage.listAudit({}, 50))]
        .sort((a, b) => a.seq - b.seq)
        .map(({ action, target }) => [action, target['type'], target['id']]);

    it('should keep one absence per person on all servers, with an audit entry for each change', async () => {
      // given
      const { storage, other } = getStorage();
      const [first, second, absenceOfCem] = [
        createAbsence(),
        createAbsence({ substitute: null, ...futurePeriod }),
        createAbsence({ subject: 'Cem \u001f' }),
      ];

      // when
      for (const each of [first, second, absenceOfCem]) await setAbsence(each);
      expect(await other.findAbsence('ada')).to.eql(second);
      expect(await other.endAbsence('dan', createAuditEntry('absence.end'))).to.equal(false);
      expect(await other.endAbsence('ada', createAuditEntry('absence.end'))).to.equal(true);

      // then
      expect(await storage.findAbsence('ada')).to.equal(undefined);
      expect(await storage.endAbsence('ada', createAuditEntry('absence.end'))).to.equal(false);
      expect(await other.findAbsence(absenceOfCem.subject)).to.eql(absenceOfCem);
      expect(await listAuditEntries()).to.eql([
        ['absence.set', 'absence', first.absenceId],
        ['absence.set', 'absence', second.absenceId],
        ['absence.set', 'absence', absenceOfCem.absenceId],
        ['absence.end', 'absence', second.absenceId],
      ]);
    });

    it('should page through current and future absences, and find current absences by subject or substitute', async () => {
      // given
      const { storage, other } = getStorage();
      const [ada, cem, dan, eve] = [
        createAbsence(),
        createAbsence({ subject: 'cem', substitute: null }),
        createAbsence({ subject: 'dan', ...futurePeriod }),
        createAbsence({ subject: 'eve', ...endedPeriod }),
      ];
      for (const each of [eve, dan, cem, ada]) await setAbsence(each);

      // then
      expect(await readAll((page) => other.listAbsences(page), 2)).to.eql([ada, cem, dan]);
      expect(await storage.findAbsence('eve')).to.equal(undefined);
      const listActive = async (activeFilter: Parameters<typeof storage.listCurrentAbsences>[0]) =>
        (await other.listCurrentAbsences(activeFilter)).map(({ absenceId, subject, substitute, from, until }) => ({
          absenceId,
          subject,
          substitute,
          from,
          until,
        }));
      expect(await listActive({ subjects: ['dan', 'eve', 'ada', 'cem', 'nobody', '\0'] })).to.eql([
        pickActiveFields(ada),
        pickActiveFields(cem),
      ]);
      expect(await listActive({ substitutes: ['bob', 'ada'] })).to.eql([pickActiveFields(ada)]);
    });

    const recordNames = (id: string, ...names: string[]) =>
      getStorage().other.recordPerson(createPersonToken({ id, names, issuedAt: currentTime() }));
    const createAbsenceByName = (overrides: Partial<AbsenceRecord> = {}) =>
      createAbsence({ subject: `Finn.${nextId()}@Example.com`, setBy: 'root', awaitsSignIn: true, ...overrides });

    /** Records the name of an arbitrary user, because absences wait for a sign-in only if user names exist. */
    beforeEach(() => recordNames('somebody', 'somebody@example.com'));

    it('should bind an absence under a user name to the first person who signs in with it, under a new id', async () => {
      // given
      const { storage, other } = getStorage();
      const [finn, waitingAbsence] = [nextId(), createAbsenceByName()];
      await setAbsence(waitingAbsence);
      expect(await storage.listCurrentAbsences({ subjects: [waitingAbsence.subject] })).to.eql([]);
      expect(await storage.listCurrentAbsences({ substitutes: ['bob'] })).to.eql([]);
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([waitingAbsence]);

      // when
      await recordNames(finn, waitingAbsence.subject.toLowerCase(), 'other@example.com');

      // then
      const found = await other.findAbsence(finn);
      expect(found).to.eql({ ...waitingAbsence, subject: finn, absenceId: found?.absenceId, awaitsSignIn: false });
      expect(found?.absenceId).to.not.equal(waitingAbsence.absenceId);
      expect(
        (await storage.listCurrentAbsences({ subjects: [waitingAbsence.subject] })).map(({ subject }) => subject),
      ).to.eql([finn]);
      expect((await listAuditEntries()).at(-1)).to.eql(['absence.bind', 'absence', found?.absenceId]);
      await recordNames(nextId(), waitingAbsence.subject);
      expect(await other.findAbsence(finn)).to.eql(found);
    });

    it('should bind an absence to a person whose id equals its subject when that person signs in', async () => {
      // given
      const waitingAbsence = createAbsenceByName();
      await setAbsence(waitingAbsence);

      // when
      await recordNames(waitingAbsence.subject);

      // then
      expect(await getStorage().storage.findAbsence(waitingAbsence.subject)).to.deep.include({
        subject: waitingAbsence.subject,
      });
    });

    it('should keep only the absence that was set last when a person gets several by their names', async () => {
      // given
      const { storage } = getStorage();
      const [finn, dora, first, second] = [
        nextId(),
        nextId(),
        createAbsenceByName(),
        createAbsenceByName({ setAt: currentTime() - 1 }),
      ];
      const getUserName = (record: AbsenceRecord) => record.subject.toLowerCase();
      for (const each of [first, second, createAbsence({ subject: dora, setBy: dora })]) await setAbsence(each);
      const earlierAbsence = createAbsenceByName({ setAt: currentTime() - 2 * HOUR_MS });
      await setAbsence(earlierAbsence);

      // when
      await recordNames(finn, getUserName(first), getUserName(second));
      await recordNames(dora, getUserName(earlierAbsence));

      // then
      expect(await storage.findAbsence(finn)).to.include({ setAt: second.setAt });
      expect(await storage.findAbsence(dora)).to.include({ setBy: dora });
      expect((await readAll((page) => storage.listAbsences(page), 9)).map(({ subject }) => subject)).to.have.members([
        finn,
        dora,
      ]);
    });

    it('should remove a substitute that turns out to be the absent person', async () => {
      // given
      const [finn, dora, first, second] = [
        nextId(),
        nextId(),
        createAbsenceByName({ substitute: 'Dora@example.com' }),
        createAbsenceByName(),
      ];
      await setAbsence(first);
      await setAbsence({ ...second, substitute: finn });

      // when
      await recordNames(dora, first.subject, 'dora@example.com');
      await recordNames(finn, second.subject);

      // then
      for (const id of [finn, dora])
        expect(await getStorage().storage.findAbsence(id)).to.include({ substitute: null });
      await recordNames(dora);
    });

    it('should replace and end an absence under a user name regardless of its case', async () => {
      // given
      const { storage } = getStorage();
      const waitingAbsence = createAbsenceByName();
      await setAbsence(waitingAbsence);
      const replacement = { ...waitingAbsence, absenceId: nextId(), subject: waitingAbsence.subject.toUpperCase() };

      // when
      await setAbsence(replacement);

      // then
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([replacement]);
      expect(await storage.endAbsence(waitingAbsence.subject, createAuditEntry('absence.end'))).to.equal(true);
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([]);
    });

    it('should not let an absence wait for a sign-in if the person has signed in, even concurrently', async () => {
      for (let count = 0; count < 10; count += 1) {
        // given
        const [finn, waitingAbsence] = [nextId(), createAbsenceByName()];

        // when
        const [setResult] = await Promise.all([setAbsence(waitingAbsence), recordNames(finn, waitingAbsence.subject)]);

        // then
        expect((await getStorage().storage.findAbsence(finn)) !== undefined).to.equal(setResult !== undefined);
        expect(await setAbsence(createAbsenceByName({ subject: waitingAbsence.subject.toUpperCase() }))).to.equal(
          undefined,
        );
        expect(await setAbsence(createAbsenceByName({ subject: finn }))).to.include({
          subject: finn,
          awaitsSignIn: false,
        });
      }
    });

    it('should treat an absence as waiting once user names exist, until its subject is known', async () => {
      // given
      const { storage } = getStorage();
      const [waitingAbsence, dan] = [createAbsenceByName(), nextId()];
      await recordNames('somebody');
      expect(await setAbsence(waitingAbsence)).to.include({ awaitsSignIn: false });
      expect(await storage.listCurrentAbsences({ substitutes: ['bob'] })).to.have.length(1);

      // when
      await recordNames('somebody', 'somebody@example.com');

      // then
      expect(await storage.listCurrentAbsences({ substitutes: ['bob'] })).to.eql([]);
      expect(await setAbsence(createAbsenceByName({ subject: dan }))).to.include({ awaitsSignIn: true });
      await storage.recordPerson(createPersonToken({ id: dan, names: null, issuedAt: 0 }));
      expect(await storage.listCurrentAbsences({ substitutes: ['bob'] })).to.have.length(1);
    });

    it('should return no absence whose subject is also the user name of another person', async () => {
      // given
      const { storage } = getStorage();
      const [ada, eve] = [nextId(), nextId()];
      await recordNames(ada);
      await setAbsence(createAbsence({ subject: ada }));
      expect(await storage.listCurrentAbsences({ subjects: [ada] })).to.have.length(1);

      // when
      await recordNames(eve, ada.toUpperCase());

      // then
      expect(await storage.listCurrentAbsences({ subjects: [ada] })).to.eql([]);
      expect(await storage.listCurrentAbsences({ substitutes: ['bob'] })).to.eql([]);
      expect(await storage.findAbsence(eve)).to.equal(undefined);
      expect([...(await storage.findPeopleByName(ada))].sort()).to.eql([ada, eve].sort());
    });

    it('should assign a user name to the person whose token with it was issued last', async () => {
      // given
      const { storage } = getStorage();
      const [dora, eve, bossName] = [nextId(), nextId(), `boss.${nextId()}@example.com`];
      const doraName = `dora.${nextId()}@example.com`;
      await storage.recordPerson(createPersonToken({ id: dora, names: [bossName, doraName], issuedAt: 1_000 }));
      await setAbsence(createAbsence({ subject: dora }));
      const listSubjectNames = async () =>
        (await storage.listCurrentAbsences({ subjects: [dora] })).map(({ subjectNames = [] }) =>
          [...subjectNames].sort(),
        );
      expect(await listSubjectNames()).to.eql([[bossName, doraName]]);

      // when
      await storage.recordPerson(createPersonToken({ id: eve, names: [bossName], issuedAt: 2_000 }));

      // then
      expect(await listSubjectNames()).to.eql([[doraName]]);
      await storage.recordPerson(createPersonToken({ id: dora, names: [bossName, doraName], issuedAt: 3_000 }));
      expect(await listSubjectNames()).to.eql([[bossName, doraName]]);
    });

    it('should commit a write only if the absences it requires are in effect', async () => {
      // given
      await deploy(getStorage().storage);
      const [currentAbsence, replaced, ended, expiredAbsence, futureAbsence] = [
        createAbsence(),
        createAbsence({ subject: 'b' }),
        createAbsence({ subject: 'c' }),
        createAbsence({ subject: 'd', ...endedPeriod }),
        createAbsence({ subject: 'e', ...futurePeriod }),
      ];
      for (const each of [
        currentAbsence,
        replaced,
        ended,
        expiredAbsence,
        futureAbsence,
        createAbsence({ subject: 'b' }),
      ])
        await setAbsence(each);
      await getStorage().other.endAbsence('c', createAuditEntry('absence.end'));
      const createWriteRequiring = (...absences: AbsenceRecord[]) =>
        createRunWrite({ run: createRunRecord(), requiredAbsences: absences.map(({ absenceId }) => absenceId) });

      // when
      const writes = [
        createWriteRequiring(currentAbsence),
        createWriteRequiring(replaced),
        createWriteRequiring(ended),
        createWriteRequiring(expiredAbsence),
        createWriteRequiring(futureAbsence),
        createWriteRequiring(currentAbsence, ended),
        createWriteRequiring(currentAbsence),
        createWriteRequiring(),
      ];
      const results = await getStorage().storage.commit(writes);

      // then
      expect(results).to.eql([
        'committed',
        'outdated',
        'outdated',
        'outdated',
        'outdated',
        'outdated',
        'committed',
        'committed',
      ]);
      expect((await getStorage().storage.loadRuns(writes.map(({ run }) => run.runId))).size).to.equal(3);
    });

    it('should refuse a write that requires an absence whose subject may be another person', async () => {
      // given
      const { storage } = getStorage();
      await deploy(storage);
      const subject = `gil.${nextId()}@example.com`;
      const [absenceOfName, waitingAbsence] = [createAbsence({ subject }), createAbsenceByName()];
      await recordNames('ada', `ada.${nextId()}@example.com`);
      for (const each of [absenceOfName, waitingAbsence]) await setAbsence(each);
      const commitWrites = () =>
        storage.commit(
          [absenceOfName, waitingAbsence].map(({ absenceId }) =>
            createRunWrite({ run: createRunRecord(), requiredAbsences: [absenceId] }),
          ),
        );
      expect(await commitWrites()).to.eql(['committed', 'outdated']);

      // when
      await recordNames(nextId(), subject);

      // then
      expect(await storage.listCurrentAbsences({ subjects: [subject] })).to.eql([]);
      expect(await commitWrites()).to.eql(['outdated', 'outdated']);
    });

    it('should commit a write before the absence that it requires ends, or not at all', async () => {
      await deploy(getStorage().storage);
      for (let count = 0; count < 20; count += 1) {
        const ownAbsence = createAbsence();
        await setAbsence(ownAbsence);
        const { storage, other } = getStorage();
        const write = createRunWrite({ run: createRunRecord(), requiredAbsences: [ownAbsence.absenceId] });
        // Ending the absence waits for every write that requires it, so no such write is committed afterwards.
        const ended = other
          .endAbsence('ada', createAuditEntry('absence.end'))
          .then(async () => (await other.loadRuns([write.run.runId])).size);
        const [[result], runs] = await Promise.all([storage.commit([write]), ended]);
        expect(runs).to.equal(result === 'committed' ? 1 : 0);
        expect(
          (
            await storage.commit([createRunWrite({ run: createRunRecord(), requiredAbsences: [ownAbsence.absenceId] })])
          )[0],
        ).to.equal('outdated');
      }
    });

    it('should change the absence marker in the change feed when an absence is set, starts or ends', async () => {
      // given
      const { storage, other } = getStorage();
      const position = await storage.getFeedPosition();
      const readAbsenceMarker = async () => (await other.listChangesAfter(position, 5)).absences;
      const isAbsent = async () => (await storage.listCurrentAbsences({ subjects: ['ada'] })).length > 0;
      /**
       * Sets an absence that starts after `ms`, and returns the absence markers right before and right after its start.
       * Tries again with more time if the absence starts before the first read.
       */
      const readMarkersAroundStart = async (ms: number): Promise<string[]> => {
        await setAbsence(createAbsence({ from: currentTime() + ms }));
        const before = await readAbsenceMarker();
        if (await isAbsent()) return readMarkersAroundStart(ms * 4);
        while (!(await isAbsent())) await new Promise(setImmediate);
        return [before, await readAbsenceMarker()];
      };

      // when
      const [first, again] = [await readAbsenceMarker(), await readAbsenceMarker()];
      const [before, afterStart] = await readMarkersAroundStart(100);
      await storage.endAbsence('ada', createAuditEntry('absence.end'));

      // then
      expect(again).to.equal(first);
      expect(new Set([first, before, afterStart, await readAbsenceMarker()]).size).to.equal(4);
    });

    it('should not list an approval that a substitute voted on under a name later bound to the candidate', async () => {
      // given
      const { storage } = getStorage();
      await deploy(storage);
      const [run, name] = [createRunRecord(), `Zed.${nextId()}@Example.com`];
      const usedDelegations = [{ from: name, to: 'bob', until: null, absenceId: nextId(), voteId: nextId() }];
      const approvalFields = { quorum: 2, candidateGroups: [], candidateUsers: [name], excluded: {} };
      const approvals = [
        createApprovalRecord(run, { ...approvalFields, title: 'open' }),
        createApprovalRecord(run, { ...approvalFields, title: 'taken', delegations: usedDelegations }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 3)).map(({ title }) => title);
      const zed = { id: nextId(), userNames: [name.toLowerCase()], groups: [] };
      await recordNames(zed.id, name);
      await setAbsence(createAbsence({ subject: zed.id }));

      // then
      for (const person of [zed, { id: 'bob', groups: [] }]) {
        expect(await list({ decidableBy: person })).to.eql(['open']);
        expect(await list({ undecidableBy: person })).to.eql(['taken']);
      }
    });

    it('should find the approvals that a substitute may vote on', async () => {
      // given
      const { storage } = getStorage();
      await deploy(storage);
      const run = createRunRecord();
      const vote = {
        voteId: nextId(),
        decision: 'approve',
        comment: null,
        by: 'cem',
        byName: null,
        at: currentTime(),
        digest: 'd',
      } as const;
      const createApproval = (title: string, overrides: Partial<ApprovalRecord> = {}) =>
        createApprovalRecord(run, {
          title,
          quorum: 2,
          candidateGroups: [],
          candidateUsers: ['cem'],
          excluded: {},
          ...overrides,
        });
      const approvals = [
        createApproval('by name'),
        createApproval('by group', { candidateUsers: ['zoe'], candidateGroups: ['leads'] }),
        createApproval('kept out', { excluded: { cem: 'started_run' } }),
        createApproval('keeps out the substitute', { excluded: { bob: 'started_run' } }),
        createApproval('has voted', { votes: [vote], candidateUsers: ['cem', 'dan'] }),
        createApproval('was voted for', { delegations: [{ from: 'cem', to: 'dan', until: null, voteId: nextId() }] }),
        createApproval('delegated', { delegations: [{ from: 'cem', to: 'dan', until: null }] }),
        createApproval('delegated before', { delegations: [{ from: 'cem', to: 'dan', until: currentTime() - 1 }] }),
        createApproval('was delegated to', {
          candidateUsers: ['zoe'],
          delegations: [{ from: 'zoe', to: 'cem', until: null }],
        }),
        createApproval('by a substitute', { candidateUsers: ['dan'] }),
      ];
      await storage.commit([createRunWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 3)).map(({ title }) => title).reverse();
      const bob = { id: 'bob', groups: [] };
      const allTitles = approvals.map(({ title }) => title);
      expect(await list({ decidableBy: bob })).to.eql([]);

      // when
      await setAbsence(createAbsence({ subject: 'cem' }));
      await setAbsence(createAbsence({ subject: 'dan', substitute: 'cem' }));
      await setAbsence(createAbsence({ subject: 'zoe', ...futurePeriod }));

      // then
      for (const sort of ['newest', 'urgency'] as const)
        expect((await list({ decidableBy: bob, sort })).sort()).to.eql(['by name', 'delegated before']);
      expect(await list({ undecidableBy: bob })).to.eql(
        allTitles.filter((title) => title !== 'by name' && title !== 'delegated before'),
      );
      await storage.endAbsence('cem', createAuditEntry('absence.end'));
      expect(await list({ undecidableBy: bob })).to.eql(allTitles);
    });
  });
}
