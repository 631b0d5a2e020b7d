import { expect } from 'chai';
import { decodeCursor, encodeCursor } from './cursor.js';

const UUID = /^[0-9a-f-]{36}$/;
const ID = '01974bbe-1f80-7001-8100-000000000001';

describe('cursors', () => {
  it('should decode to the key that they were encoded from', () => {
    const cursor = encodeCursor('runs', { status: 'active', q: 'ü' }, [ID]);
    expect(cursor).to.match(/^[\w-]+$/);
    expect(decodeCursor('runs', { q: 'ü', status: 'active' }, cursor, [UUID])).to.eql([ID]);
  });

  it('should be refused if they are malformed or belong to another list, filter or key', () => {
    const cursor = encodeCursor('runs', { status: 'active' }, [ID]);
    const refused: [string, object, string, RegExp[]][] = [
      ['approvals', { status: 'active' }, cursor, [UUID]],
      ['runs', {}, cursor, [UUID]],
      ['runs', { status: 'active' }, cursor, [UUID, UUID]],
      ['runs', { status: 'active' }, cursor, [/^\d+$/]],
      ['runs', { status: 'active' }, `${cursor.slice(0, 8)}AAAA`, [UUID]],
      ['runs', { status: 'active' }, Buffer.from('{"a":1}').toString('base64url'), [UUID]],
    ];
    for (const [list, filter, refusedCursor, patterns] of refused) {
      expect(() => decodeCursor(list, filter as never, refusedCursor, patterns))
        .to.throw()
        .with.property('code', 'invalid_cursor');
    }
  });
});
