import type { AbsenceRecord, ApprovalFilter } from '@countersign/core/ports';
import type { ApprovalRecord, AuditEntry } from '@countersign/model';
import { expect } from 'chai';
import type { Subject } from '../storage-under-test.js';
import { approvalRecord, deploy, nextId, runRecord, runWrite } from '../storage-fixtures.js';
import { readAll } from './read-all.js';
import { currentTime } from '@countersign/model/testing';

const HOUR = 3_600_000;

/** Returns an absence of Ada from an hour ago until an hour from now, by default. */
const absence = ({ subject = 'ada', ...overrides }: Partial<AbsenceRecord> = {}): AbsenceRecord => ({
  absenceId: nextId(),
  subject,
  substitute: 'bob',
  from: currentTime() - HOUR,
  until: currentTime() + HOUR,
  setAt: currentTime() - HOUR,
  setBy: subject,
  awaitsSignIn: false,
  ...overrides,
});
const over = { until: currentTime() - 1 };
const ahead = { from: currentTime() + HOUR / 2 };
const audit = (action: string): AuditEntry => ({
  at: currentTime(),
  actor: { type: 'user', id: 'root', name: 'Root' },
  action,
  target: { type: 'absence' },
  result: 'ok',
  from: null,
  data: {},
});
const shown = ({ absenceId, subject, substitute, from, until }: AbsenceRecord) => ({
  absenceId,
  subject,
  substitute,
  from,
  until,
});

export function describeAbsences(current: Subject): void {
  describe('absences', () => {
    const set = (record: AbsenceRecord, storage = current().storage) =>
      storage.setAbsence(record, audit('absence.set'));
    const audited = async () =>
      [...(await current().storage.listAudit({}, 50))]
        .sort((a, b) => a.seq - b.seq)
        .map(({ action, target }) => [action, target['type'], target['id']]);

    it('should keep one absence per person on all servers, with an audit entry for each change', async () => {
      // given
      const { storage, other } = current();
      const [first, second, cems] = [
        absence(),
        absence({ substitute: null, ...ahead }),
        absence({ subject: 'Cem \u001f' }),
      ];

      // when
      for (const each of [first, second, cems]) await set(each);
      expect(await other.findAbsence('ada')).to.eql(second);
      expect(await other.endAbsence('dan', audit('absence.end'))).to.equal(false);
      expect(await other.endAbsence('ada', audit('absence.end'))).to.equal(true);

      // then
      expect(await storage.findAbsence('ada')).to.equal(undefined);
      expect(await storage.endAbsence('ada', audit('absence.end'))).to.equal(false);
      expect(await other.findAbsence(cems.subject)).to.eql(cems);
      expect(await audited()).to.eql([
        ['absence.set', 'absence', first.absenceId],
        ['absence.set', 'absence', second.absenceId],
        ['absence.set', 'absence', cems.absenceId],
        ['absence.end', 'absence', second.absenceId],
      ]);
    });

    it('should list current and future absences, and return who is absent now', async () => {
      // given
      const { storage, other } = current();
      const [ada, cem, dan, eve] = [
        absence(),
        absence({ subject: 'cem', substitute: null }),
        absence({ subject: 'dan', ...ahead }),
        absence({ subject: 'eve', ...over }),
      ];
      for (const each of [eve, dan, cem, ada]) await set(each);

      // then
      expect(await readAll((page) => other.listAbsences(page), 2)).to.eql([ada, cem, dan]);
      expect(await storage.findAbsence('eve')).to.equal(undefined);
      const now = async (of: Parameters<typeof storage.absencesNow>[0]) =>
        (await other.absencesNow(of)).map(({ absenceId, subject, substitute, from, until }) => ({
          absenceId,
          subject,
          substitute,
          from,
          until,
        }));
      expect(await now({ subjects: ['dan', 'eve', 'ada', 'cem', 'nobody', '\0'] })).to.eql([shown(ada), shown(cem)]);
      expect(await now({ substitutes: ['bob', 'ada'] })).to.eql([shown(ada)]);
    });

    const noteNames = (id: string, ...names: string[]) =>
      current().other.noteUserNames({ id, names, issuedAt: currentTime(), at: currentTime() });
    const byName = (overrides: Partial<AbsenceRecord> = {}) =>
      absence({ subject: `Finn.${nextId()}@Example.com`, setBy: 'root', awaitsSignIn: true, ...overrides });

    /** Any user: it only matters that user names exist. */
    beforeEach(() => noteNames('somebody', 'somebody@example.com'));

    it('should bind an absence under a user name to the first person who signs in with it, under a new id', async () => {
      // given
      const { storage, other } = current();
      const [finn, waiting] = [nextId(), byName()];
      await set(waiting);
      expect(await storage.absencesNow({ subjects: [waiting.subject] })).to.eql([]);
      expect(await storage.absencesNow({ substitutes: ['bob'] })).to.eql([]);
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([waiting]);

      // when
      await noteNames(finn, waiting.subject.toLowerCase(), 'other@example.com');

      // then
      const found = await other.findAbsence(finn);
      expect(found).to.eql({ ...waiting, subject: finn, absenceId: found?.absenceId, awaitsSignIn: false });
      expect(found?.absenceId).to.not.equal(waiting.absenceId);
      expect((await storage.absencesNow({ subjects: [waiting.subject] })).map(({ subject }) => subject)).to.eql([finn]);
      expect((await audited()).at(-1)).to.eql(['absence.bind', 'absence', found?.absenceId]);
      await noteNames(nextId(), waiting.subject);
      expect(await other.findAbsence(finn)).to.eql(found);
    });

    it('should bind an absence to a person whose id equals its subject when that person signs in', async () => {
      // given
      const waiting = byName();
      await set(waiting);

      // when
      await noteNames(waiting.subject);

      // then
      expect(await current().storage.findAbsence(waiting.subject)).to.deep.include({ subject: waiting.subject });
    });

    it('should keep only the absence that was set last when a person gets several by their names', async () => {
      // given
      const { storage } = current();
      const [finn, dora, first, second] = [nextId(), nextId(), byName(), byName({ setAt: currentTime() - 1 })];
      const name = (record: AbsenceRecord) => record.subject.toLowerCase();
      for (const each of [first, second, absence({ subject: dora, setBy: dora })]) await set(each);
      const own = byName({ setAt: currentTime() - 2 * HOUR });
      await set(own);

      // when
      await noteNames(finn, name(first), name(second));
      await noteNames(dora, name(own));

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
      const [finn, dora, first, second] = [nextId(), nextId(), byName({ substitute: 'Dora@example.com' }), byName()];
      await set(first);
      await set({ ...second, substitute: finn });

      // when
      await noteNames(dora, first.subject, 'dora@example.com');
      await noteNames(finn, second.subject);

      // then
      for (const id of [finn, dora]) expect(await current().storage.findAbsence(id)).to.include({ substitute: null });
      await noteNames(dora);
    });

    it('should replace and end an absence under a user name regardless of its case', async () => {
      // given
      const { storage } = current();
      const waiting = byName();
      await set(waiting);
      const again = { ...waiting, absenceId: nextId(), subject: waiting.subject.toUpperCase() };

      // when
      await set(again);

      // then
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([again]);
      expect(await storage.endAbsence(waiting.subject, audit('absence.end'))).to.equal(true);
      expect(await readAll((page) => storage.listAbsences(page), 2)).to.eql([]);
    });

    it('should not let an absence wait for a sign-in if the person has signed in, even concurrently', async () => {
      for (let count = 0; count < 10; count += 1) {
        // given
        const [finn, waiting] = [nextId(), byName()];

        // when
        const [wasSet] = await Promise.all([set(waiting), noteNames(finn, waiting.subject)]);

        // then
        expect((await current().storage.findAbsence(finn)) !== undefined).to.equal(wasSet !== undefined);
        expect(await set(byName({ subject: waiting.subject.toUpperCase() }))).to.equal(undefined);
        expect(await set(byName({ subject: finn }))).to.include({ subject: finn, awaitsSignIn: false });
      }
    });

    it('should treat an absence as waiting once user names exist, until its subject is known', async () => {
      // given
      const { storage } = current();
      const [waiting, dan] = [byName(), nextId()];
      await noteNames('somebody');
      expect(await set(waiting)).to.include({ awaitsSignIn: false });
      expect(await storage.absencesNow({ substitutes: ['bob'] })).to.have.length(1);

      // when
      await noteNames('somebody', 'somebody@example.com');

      // then
      expect(await storage.absencesNow({ substitutes: ['bob'] })).to.eql([]);
      expect(await set(byName({ subject: dan }))).to.include({ awaitsSignIn: true });
      await storage.noteUserNames({ id: dan, names: null, issuedAt: 0, at: currentTime() });
      expect(await storage.absencesNow({ substitutes: ['bob'] })).to.have.length(1);
    });

    it('should return no absence whose subject is also the user name of another person', async () => {
      // given
      const { storage } = current();
      const [ada, eve] = [nextId(), nextId()];
      await noteNames(ada);
      await set(absence({ subject: ada }));
      expect(await storage.absencesNow({ subjects: [ada] })).to.have.length(1);

      // when
      await noteNames(eve, ada.toUpperCase());

      // then
      expect(await storage.absencesNow({ subjects: [ada] })).to.eql([]);
      expect(await storage.absencesNow({ substitutes: ['bob'] })).to.eql([]);
      expect(await storage.findAbsence(eve)).to.equal(undefined);
      expect([...(await storage.peopleCalled(ada))].sort()).to.eql([ada, eve].sort());
    });

    it('should assign a user name to the person whose token with it was issued last', async () => {
      // given
      const { storage } = current();
      const [dora, eve, boss] = [nextId(), nextId(), `boss.${nextId()}@example.com`];
      const own = `dora.${nextId()}@example.com`;
      await storage.noteUserNames({ id: dora, names: [boss, own], issuedAt: 1_000, at: currentTime() });
      await set(absence({ subject: dora }));
      const names = async () =>
        (await storage.absencesNow({ subjects: [dora] })).map(({ subjectNames = [] }) => [...subjectNames].sort());
      expect(await names()).to.eql([[boss, own]]);

      // when
      await storage.noteUserNames({ id: eve, names: [boss], issuedAt: 2_000, at: currentTime() });

      // then
      expect(await names()).to.eql([[own]]);
      await storage.noteUserNames({ id: dora, names: [boss, own], issuedAt: 3_000, at: currentTime() });
      expect(await names()).to.eql([[boss, own]]);
    });

    it('should commit a write only if the absences it requires are in effect', async () => {
      // given
      await deploy(current().storage);
      const [good, replaced, ended, gone, later] = [
        absence(),
        absence({ subject: 'b' }),
        absence({ subject: 'c' }),
        absence({ subject: 'd', ...over }),
        absence({ subject: 'e', ...ahead }),
      ];
      for (const each of [good, replaced, ended, gone, later, absence({ subject: 'b' })]) await set(each);
      await current().other.endAbsence('c', audit('absence.end'));
      const relying = (...absences: AbsenceRecord[]) =>
        runWrite({ run: runRecord(), requiredAbsences: absences.map(({ absenceId }) => absenceId) });

      // when
      const writes = [
        relying(good),
        relying(replaced),
        relying(ended),
        relying(gone),
        relying(later),
        relying(good, ended),
        relying(good),
        relying(),
      ];
      const results = await current().storage.commit(writes);

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
      expect((await current().storage.loadRuns(writes.map(({ run }) => run.runId))).size).to.equal(3);
    });

    it('should refuse a write that requires an absence whose subject may be another person', async () => {
      // given
      const { storage } = current();
      await deploy(storage);
      const subject = `gil.${nextId()}@example.com`;
      const [theirs, waiting] = [absence({ subject }), byName()];
      await noteNames('ada', `ada.${nextId()}@example.com`);
      for (const each of [theirs, waiting]) await set(each);
      const results = () =>
        storage.commit(
          [theirs, waiting].map(({ absenceId }) => runWrite({ run: runRecord(), requiredAbsences: [absenceId] })),
        );
      expect(await results()).to.eql(['committed', 'outdated']);

      // when
      await noteNames(nextId(), subject);

      // then
      expect(await storage.absencesNow({ subjects: [subject] })).to.eql([]);
      expect(await results()).to.eql(['outdated', 'outdated']);
    });

    it('should commit a write before the absence that it requires ends, or not at all', async () => {
      await deploy(current().storage);
      for (let count = 0; count < 20; count += 1) {
        const mine = absence();
        await set(mine);
        const { storage, other } = current();
        const write = runWrite({ run: runRecord(), requiredAbsences: [mine.absenceId] });
        // The end of the absence has waited for every commit that will ever exist.
        const ended = other
          .endAbsence('ada', audit('absence.end'))
          .then(async () => (await other.loadRuns([write.run.runId])).size);
        const [[result], runs] = await Promise.all([storage.commit([write]), ended]);
        expect(runs).to.equal(result === 'committed' ? 1 : 0);
        expect(
          (await storage.commit([runWrite({ run: runRecord(), requiredAbsences: [mine.absenceId] })]))[0],
        ).to.equal('outdated');
      }
    });

    it('should change the absence marker in the change feed when an absence is set, starts or ends', async () => {
      // given
      const { storage, other } = current();
      const position = await storage.feedPosition();
      const look = async () => (await other.changesAfter(position, 5)).absences;
      const isAway = async () => (await storage.absencesNow({ subjects: ['ada'] })).length > 0;
      /**
       * Returns the feed values right before and right after the start; repeats with more time if that was too short.
       */
      const beginsIn = async (ms: number): Promise<string[]> => {
        await set(absence({ from: currentTime() + ms }));
        const before = await look();
        if (await isAway()) return beginsIn(ms * 4);
        while (!(await isAway())) await new Promise(setImmediate);
        return [before, await look()];
      };

      // when
      const [first, again] = [await look(), await look()];
      const [before, behind] = await beginsIn(100);
      await storage.endAbsence('ada', audit('absence.end'));

      // then
      expect(again).to.equal(first);
      expect(new Set([first, before, behind, await look()]).size).to.equal(4);
    });

    it('should not list an approval that a substitute voted on under a name later bound to the candidate', async () => {
      // given
      const { storage } = current();
      await deploy(storage);
      const [run, name] = [runRecord(), `Zed.${nextId()}@Example.com`];
      const taken = [{ from: name, to: 'bob', until: null, absenceId: nextId(), voteId: nextId() }];
      const asked = { quorum: 2, candidateGroups: [], candidateUsers: [name], excluded: {} };
      const approvals = [
        approvalRecord(run, { ...asked, title: 'open' }),
        approvalRecord(run, { ...asked, title: 'taken', delegations: taken }),
      ];
      await storage.commit([runWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 3)).map(({ title }) => title);
      const zed = { id: nextId(), userNames: [name.toLowerCase()], groups: [] };
      await noteNames(zed.id, name);
      await set(absence({ subject: zed.id }));

      // then
      for (const person of [zed, { id: 'bob', groups: [] }]) {
        expect(await list({ decidableBy: person })).to.eql(['open']);
        expect(await list({ undecidableBy: person })).to.eql(['taken']);
      }
    });

    it('should find the approvals that a substitute may vote on', async () => {
      // given
      const { storage } = current();
      await deploy(storage);
      const run = runRecord();
      const vote = {
        voteId: nextId(),
        decision: 'approve',
        comment: null,
        by: 'cem',
        byName: null,
        at: currentTime(),
        digest: 'd',
      } as const;
      const asked = (title: string, overrides: Partial<ApprovalRecord> = {}) =>
        approvalRecord(run, {
          title,
          quorum: 2,
          candidateGroups: [],
          candidateUsers: ['cem'],
          excluded: {},
          ...overrides,
        });
      const approvals = [
        asked('by name'),
        asked('by group', { candidateUsers: ['zoe'], candidateGroups: ['leads'] }),
        asked('kept out', { excluded: { cem: 'started_run' } }),
        asked('keeps out the substitute', { excluded: { bob: 'started_run' } }),
        asked('has voted', { votes: [vote], candidateUsers: ['cem', 'dan'] }),
        asked('was voted for', { delegations: [{ from: 'cem', to: 'dan', until: null, voteId: nextId() }] }),
        asked('delegated', { delegations: [{ from: 'cem', to: 'dan', until: null }] }),
        asked('delegated before', { delegations: [{ from: 'cem', to: 'dan', until: currentTime() - 1 }] }),
        asked('was delegated to', { candidateUsers: ['zoe'], delegations: [{ from: 'zoe', to: 'cem', until: null }] }),
        asked('by a substitute', { candidateUsers: ['dan'] }),
      ];
      await storage.commit([runWrite({ run, approvalsOpened: approvals })]);
      const list = async (filter: ApprovalFilter) =>
        (await readAll((page) => storage.listApprovals(filter, page), 3)).map(({ title }) => title).reverse();
      const bob = { id: 'bob', groups: [] };
      const others = approvals.map(({ title }) => title);
      expect(await list({ decidableBy: bob })).to.eql([]);

      // when
      await set(absence({ subject: 'cem' }));
      await set(absence({ subject: 'dan', substitute: 'cem' }));
      await set(absence({ subject: 'zoe', ...ahead }));

      // then
      for (const sort of ['newest', 'urgency'] as const)
        expect((await list({ decidableBy: bob, sort })).sort()).to.eql(['by name', 'delegated before']);
      expect(await list({ undecidableBy: bob })).to.eql(
        others.filter((title) => title !== 'by name' && title !== 'delegated before'),
      );
      await storage.endAbsence('cem', audit('absence.end'));
      expect(await list({ undecidableBy: bob })).to.eql(others);
    });
  });
}
