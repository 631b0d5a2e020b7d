import type { StoragePort } from '@countersign/core/ports';
import { expect } from 'chai';
import { createPersonToken, nextId } from '../storage-fixtures.js';
import type { StorageGetter } from '../storage-under-test.js';

/** Time when the older of two tokens was issued. */
const FIRST_ISSUED_AT = Date.UTC(2026, 10, 27);
const LATER_ISSUED_AT = FIRST_ISSUED_AT + 1;

const recordUserNames = (storage: StoragePort, id: string, names: readonly string[] | null, issuedAt: number) =>
  storage.recordPerson(createPersonToken({ id, names, issuedAt }));

export function describeUserNames(getStorage: StorageGetter): void {
  describe('user names', () => {
    it('should be taken from the token that was issued last, even if an older token is used later', async () => {
      // given
      const { storage, other } = getStorage();
      const [formerName, newName] = [`Ada.${nextId()}@Example.com`, `ada.king.${nextId()}@example.com`];
      await recordUserNames(other, 'ada', [formerName], FIRST_ISSUED_AT);

      // when
      await recordUserNames(storage, 'ada', [newName], LATER_ISSUED_AT);
      await recordUserNames(other, 'ada', [formerName], FIRST_ISSUED_AT);

      // then
      expect(await storage.findUserNames('ada')).to.deep.equal([newName]);
      expect(await storage.findPeopleByName(newName.toUpperCase())).to.deep.equal(['ada']);
      expect(await storage.findPeopleByName(formerName)).to.deep.equal([]);
    });

    it('should be taken from the token that was issued last when both tokens are used concurrently', async () => {
      // given
      const { storage, other } = getStorage();
      const people = Array.from({ length: 20 }, nextId);

      // when
      await Promise.all(
        people.flatMap((id) => [
          recordUserNames(storage, id, [`${id}-former`, `${id}-always`], FIRST_ISSUED_AT),
          recordUserNames(other, id, [`${id}-new`, `${id}-always`], LATER_ISSUED_AT),
        ]),
      );

      // then
      for (const id of people) expect(await storage.findUserNames(id)).to.have.members([`${id}-always`, `${id}-new`]);
    });

    it('should be removed when a later token contains no user names, while the id stays known', async () => {
      // given
      const { storage, other } = getStorage();
      const [id, name] = [nextId(), `${nextId()}@example.com`];
      await recordUserNames(other, id, [name], FIRST_ISSUED_AT);

      // when
      await recordUserNames(other, id, [], LATER_ISSUED_AT);

      // then
      expect(await storage.findUserNames(id)).to.deep.equal([]);
      expect(await storage.findPeopleByName(name)).to.deep.equal([]);
      expect(await storage.findPeopleByName(id)).to.deep.equal([id]);
    });

    it('should be kept when a later token has no claim for user names', async () => {
      // given
      const { storage, other } = getStorage();
      const [id, name] = [nextId(), `${nextId()}@example.com`];

      // when
      await recordUserNames(other, id, null, LATER_ISSUED_AT);
      await recordUserNames(other, id, [name], FIRST_ISSUED_AT);
      await recordUserNames(other, id, null, LATER_ISSUED_AT);

      // then
      expect(await storage.findUserNames(id)).to.deep.equal([name]);
      expect(await storage.findPeopleByName(id)).to.deep.equal([id]);
    });

    it('should be empty for an unknown person or an id that cannot be stored', async () => {
      const { storage } = getStorage();
      expect(await storage.findUserNames(nextId())).to.deep.equal([]);
      expect(await storage.findUserNames('\ud83d')).to.deep.equal([]);
      expect(await storage.findPeopleByName('a\0b')).to.deep.equal([]);
      expect(await storage.findPeopleByName(nextId())).to.deep.equal([]);
    });
  });
}
