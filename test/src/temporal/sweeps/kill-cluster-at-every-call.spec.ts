import { expect } from 'chai';
import { type KillPoint, METHODS } from '../cluster-killer.spec.support.js';
import { describeKillsOfCluster } from './kill-cluster.spec.support.js';

const NAMES = Object.keys(METHODS) as (keyof typeof METHODS)[];
const POSITIONS = ['before', 'after'] as const;

describeKillsOfCluster(
  'at every call',
  'short',
  ({ periodicMethods = [] }, visits) => [
    ...NAMES.filter((name) => METHODS[name] !== 'other' && !periodicMethods.includes(name)).flatMap((name) =>
      POSITIONS.flatMap((position) => {
        const point: KillPoint = `${position}:${name}`;
        // Polls wait for work, so it does not matter before which of them the cluster is killed.
        const isAnyVisit = METHODS[name] === 'poll' && position === 'before';
        const count = Math.min(visits.get(point) ?? 0, isAnyVisit ? 1 : Infinity);
        return Array.from({ length: count }, (_, index) => ({ point, visit: index + 1 }));
      }),
    ),
    ...periodicMethods.flatMap((name) =>
      POSITIONS.map((position) => ({ point: `${position}:${name}` as const, visit: 1 })),
    ),
  ],
  (getCluster) => {
    it('should have covered every method that changes something or gives work to our server', () => {
      const { killer, killed } = getCluster();
      expect([...killer.unknownMethods], 'add these methods to METHODS').to.deep.equal([]);
      const points = NAMES.filter((name) => METHODS[name] !== 'other').flatMap((name) =>
        POSITIONS.map((position): KillPoint => `${position}:${name}`),
      );
      expect(points.filter((point) => !killed.has(point))).to.deep.equal([]);
    });
  },
);
