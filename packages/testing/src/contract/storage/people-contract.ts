import type { PersonToken, StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import { createAuditEntry, createPersonToken, nextId } from '../storage-fixtures.js';
import type { StorageGetter } from '../storage-under-test.js';
import { readAll } from './read-all.js';

/** Time when the older of two tokens was issued. */
const FIRST_ISSUED_AT = Date.UTC(2026, 10, 27);
const LATER_ISSUED_AT = FIRST_ISSUED_AT + 1;

export function describePeople(getStorage: StorageGetter): void {
  describe('people', () => {
    /** A word in all names of a test, because the tests share a database. */
    let word: string;

    beforeEach(() => {
      word = `w${nextId()}`;
    });

    const record = (token: Partial<PersonToken> & Pick<PersonToken, 'id'>) =>
      getStorage().other.recordPerson(createPersonToken(token));
    const find = async (search: string) =>
      (await getStorage().storage.listPeople({ search }, { limit: 50 })).items.map(({ id }) => id);
    const listGroups = async (search: string) =>
      (await getStorage().storage.listGroups({ search }, { limit: 50 })).items;

    it('should be found by all words of their names and their id, in any case and language', async () => {
      // given
      const ids = [`${word}-1`, `${word}-2`, `${word}-3`];
      await record({ id: `${word}-1`, displayName: `${word} Zoë Öztürk`, names: [`Zoe.${word}@example.com`] });
      await record({ id: `${word}-2`, displayName: `${word} Ann 100%_sure` });
      await record({ id: `${word}-3` });

      // then
      expect(await find(word.toUpperCase())).to.deep.equal([ids[1], ids[0], ids[2]]);
      expect(await find(`ÖZTÜRK ${word}`)).to.deep.equal([ids[0]]);
      expect(await find(`zoe.${word}@EXAMPLE zoë`)).to.deep.equal([ids[0]]);
      expect(await find(`${word} 100%_`)).to.deep.equal([ids[1]]);
      expect(await find(`${word} 1%0`)).to.deep.equal([]);
      expect(await find(`${word} nobody`)).to.deep.equal([]);
      expect(await find(`${word}\0`)).to.deep.equal([]);
    });

    it('should be listed once each over several pages, sorted by name', async () => {
      // given: two people with the same name
      const names = ['Cid', 'Ann', 'bea', 'Ann'];
      for (const [index, displayName] of names.entries())
        await record({ id: `${word}-${index}`, displayName: `${displayName} ${word}` });

      // when
      const { storage } = getStorage();
      const people = await readAll((page) => storage.listPeople({ search: word }, page), 2);

      // then
      expect(people.map(({ id }) => id)).to.deep.equal([1, 3, 2, 0].map((index) => `${word}-${index}`));
      const { nextCursor } = await storage.listPeople({ search: word }, { limit: 1 });
      const error = await storage
        .listPeople({ search: 'other' }, { limit: 1, cursor: nextCursor ?? '' })
        .catch((failure: unknown) => failure);
      expect(error).to.have.property('code', 'invalid_cursor');
    });

    it('should be described by the token that was issued last, even if an older token is used later', async () => {
      // given
      const later = {
        id: word,
        displayName: 'Ada',
        mayDecide: true,
        groups: [`${word}-new`],
        issuedAt: LATER_ISSUED_AT,
      };
      await record({ id: word, displayName: 'A. K.', groups: [`${word}-old`], issuedAt: FIRST_ISSUED_AT });

      // when
      await record(later);
      await record({ ...later, displayName: 'A. K.', mayDecide: false, groups: [], issuedAt: FIRST_ISSUED_AT });

      // then
      expect((await getStorage().storage.listPeople({ search: word }, { limit: 5 })).items).to.deep.equal([
        { id: word, displayName: 'Ada', userName: null, mayDecide: true },
      ]);
      expect(await listGroups(word)).to.deep.equal([{ name: `${word}-new`, deciders: 1 }]);
    });

    it('should have a user name only while it refers to nobody else', async () => {
      // given
      const listNames = async () =>
        (await getStorage().storage.listPeople({ search: word }, { limit: 5 })).items.map(({ userName }) => userName);
      await record({ id: `${word}-1`, names: [`Ada.${word}`, `b.${word}`], issuedAt: FIRST_ISSUED_AT });
      expect(await listNames()).to.deep.equal([`Ada.${word}`]);

      // when: a token without names is used, then somebody else gets one of the names
      await record({ id: `${word}-1`, names: null, issuedAt: LATER_ISSUED_AT });
      expect(await listNames()).to.deep.equal([`Ada.${word}`]);
      await record({ id: `${word}-2`, names: [`ada.${word}`] });

      // then
      expect(await listNames()).to.deep.equal([null, null]);
    });

    it('should have the user names of the last token with names, whatever tokens are used in between', async () => {
      // given: two tokens with names and one without, which was issued last
      const listNames = async () =>
        (await getStorage().storage.listPeople({ search: word }, { limit: 5 })).items.map(({ userName }) => userName);
      const token = { id: word, issuedAt: FIRST_ISSUED_AT };
      await record({ ...token, names: [`b.${word}`, `a.${word}`] });
      await record({ ...token, names: null, issuedAt: FIRST_ISSUED_AT + 20 });
      expect(await listNames()).to.deep.equal([`b.${word}`]);

      // when
      await record({ ...token, names: [`c.${word}`], issuedAt: FIRST_ISSUED_AT + 10 });

      // then
      expect(await listNames()).to.deep.equal([`c.${word}`]);
      expect(await find(`c.${word}`)).to.deep.equal([word]);
      expect(await find(`b.${word}`)).to.deep.equal([]);

      // and a token without names that was used first does not hide later names
      await record({ id: `${word}-2`, names: null, issuedAt: LATER_ISSUED_AT });
      await record({ id: `${word}-2`, names: [`d.${word}`], issuedAt: FIRST_ISSUED_AT });
      expect(await find(`d.${word}`)).to.deep.equal([`${word}-2`]);
    });

    it('should keep the display name if a later token has none, and tolerate repeated groups', async () => {
      // given
      await record({ id: word, displayName: 'Ada', issuedAt: FIRST_ISSUED_AT });

      // when
      await record({ id: word, groups: [word, word], issuedAt: LATER_ISSUED_AT });

      // then
      const { items } = await getStorage().storage.listPeople({ search: word }, { limit: 5 });
      expect(items.map(({ displayName }) => displayName)).to.deep.equal(['Ada']);
      expect(await listGroups(word)).to.deep.equal([{ name: word, deciders: 1 }]);
    });

    it('should be listed page by page with the longest names', async () => {
      // given
      const longName = (last: string) => `${word}${'長'.repeat(254 - word.length)}${last}`;
      const names = [longName('一'), longName('二')];
      for (const name of names) await record({ id: name, displayName: name, groups: [name] });

      // then: cursors fit into a query string
      const { storage } = getStorage();
      const people = await readAll((page) => storage.listPeople({ search: word }, page), 1);
      expect(people.map(({ id }) => id)).to.deep.equal(names);
      expect((await storage.listPeople({ search: word }, { limit: 1 })).nextCursor?.length).to.be.below(4096);
      const groups = await readAll((page) => storage.listGroups({ search: word }, page), 1);
      expect(groups.map(({ name }) => name)).to.deep.equal(names);
    });

    it('should not have a user name that is the id of another person', async () => {
      // given
      await record({ id: word, names: [word] });
      await record({ id: `${word}-2`, names: [word.toUpperCase(), word] });

      // then
      const { items } = await getStorage().storage.listPeople({ search: `${word}-2` }, { limit: 5 });
      expect(items.map(({ userName }) => userName)).to.deep.equal([null]);
    });

    it('should be counted per group if they may decide', async () => {
      // given
      const [first, second] = [`${word} Finance`, `${word} Legal`];
      await record({ id: `${word}-1`, groups: [second, first] });
      await record({ id: `${word}-2`, groups: [first] });
      await record({ id: `${word}-3`, groups: [first], mayDecide: false });

      // then
      expect(await listGroups(word.toUpperCase())).to.deep.equal([
        { name: first, deciders: 2 },
        { name: second, deciders: 1 },
      ]);
      expect(await listGroups(`${word} LEGAL`)).to.deep.equal([{ name: second, deciders: 1 }]);
      const { storage } = getStorage();
      const pages = await readAll((page) => storage.listGroups({ search: word }, page), 1);
      expect(pages.map(({ name }) => name)).to.deep.equal([first, second]);
    });

    it('should be known by id or user name after they have signed in or acted', async () => {
      // given
      const actor = { type: 'user', id: `${word}-actor`, name: null } as const;
      await record({ id: word, names: [`Ada.${word}`], groups: [`${word}-group`] });
      await getStorage().other.appendAudit([
        createAuditEntry({ actor }),
        createAuditEntry({ actor: { type: 'service', id: `${word}-bot`, name: null } }),
      ]);

      // when
      const unknown = await getStorage().storage.findUnknownNames({
        users: [word, `ADA.${word}`, word.toUpperCase(), actor.id, `${word}-bot`, 'nobody-such-user', 'a\0b'],
        groups: [`${word}-group`, `${word}-GROUP`, '\ud83d'],
      });

      // then: ids and groups are case-sensitive
      expect(unknown).to.deep.equal({
        users: [word.toUpperCase(), `${word}-bot`, 'nobody-such-user', 'a\0b'],
        groups: [`${word}-GROUP`, '\ud83d'],
      });
    });

    for (const keepUserNames of [false, true]) {
      it(`should no longer be listed after their data is erased${keepUserNames ? ', even if their user names are kept' : ''}`, async () => {
        // given
        await record({ id: word, names: [`ada.${word}`], groups: [`${word}-group`] });

        // when
        const storage: StoragePort = getStorage().other;
        const person = { id: word, userNames: [`ada.${word}`] };
        await storage.erasePersonOutsideRuns({ person, positions: [], keepUserNames }, createAuditEntry());

        // then
        expect(await find(word)).to.deep.equal([]);
        expect(await listGroups(word)).to.deep.equal([]);
        const { users } = await getStorage().storage.findUnknownNames({ users: [word], groups: [] });
        expect(users).to.deep.equal(keepUserNames ? [] : [word]);
      });
    }
  });
}
