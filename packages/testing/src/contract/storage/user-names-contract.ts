import type { StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import { nextId } from '../storage-fixtures.js';
import type { Subject } from '../storage-under-test.js';

/** Time when a token was issued. */
const FIRST = Date.UTC(2026, 10, 27);
const LATER = FIRST + 1;

const note = (storage: StoragePort, id: string, names: readonly string[] | null, issuedAt: number) =>
  storage.noteUserNames({ id, names, issuedAt, at: LATER });

export function describeUserNames(current: Subject): void {
  describe('user names', () => {
    it('should be taken from the token that was issued last, even if an older token is used later', async () => {
      // given
      const { storage, other } = current();
      const [before, after] = [`Ada.${nextId()}@Example.com`, `ada.king.${nextId()}@example.com`];
      await note(other, 'ada', [before], FIRST);

      // when
      await note(storage, 'ada', [after], LATER);
      await note(other, 'ada', [before], FIRST);

      // then
      expect(await storage.userNamesOf('ada')).to.deep.equal([after]);
      expect(await storage.peopleCalled(after.toUpperCase())).to.deep.equal(['ada']);
      expect(await storage.peopleCalled(before)).to.deep.equal([]);
    });

    it('should be taken from the token that was issued last when both tokens are used concurrently', async () => {
      // given
      const { storage, other } = current();
      const people = Array.from({ length: 20 }, nextId);

      // when
      await Promise.all(
        people.flatMap((id) => [
          note(storage, id, [`${id}-former`, `${id}-always`], FIRST),
          note(other, id, [`${id}-new`, `${id}-always`], LATER),
        ]),
      );

      // then
      for (const id of people) expect(await storage.userNamesOf(id)).to.have.members([`${id}-always`, `${id}-new`]);
    });

    it('should be removed when a later token contains no user names, while the id stays known', async () => {
      // given
      const { storage, other } = current();
      const [id, name] = [nextId(), `${nextId()}@example.com`];
      await note(other, id, [name], FIRST);

      // when
      await note(other, id, [], LATER);

      // then
      expect(await storage.userNamesOf(id)).to.deep.equal([]);
      expect(await storage.peopleCalled(name)).to.deep.equal([]);
      expect(await storage.peopleCalled(id)).to.deep.equal([id]);
    });

    it('should be kept when a later token has no claim for user names', async () => {
      // given
      const { storage, other } = current();
      const [id, name] = [nextId(), `${nextId()}@example.com`];

      // when
      await note(other, id, null, LATER);
      await note(other, id, [name], FIRST);
      await note(other, id, null, LATER);

      // then
      expect(await storage.userNamesOf(id)).to.deep.equal([name]);
      expect(await storage.peopleCalled(id)).to.deep.equal([id]);
    });

    it('should be empty for an unknown person or an id that cannot be stored', async () => {
      const { storage } = current();
      expect(await storage.userNamesOf(nextId())).to.deep.equal([]);
      expect(await storage.userNamesOf('\ud83d')).to.deep.equal([]);
      expect(await storage.peopleCalled('a\0b')).to.deep.equal([]);
      expect(await storage.peopleCalled(nextId())).to.deep.equal([]);
    });
  });
}
