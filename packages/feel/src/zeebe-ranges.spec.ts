import { testZeebeCases, type ZeebeCase } from './zeebe-cases.spec.support.js';

const CASES: readonly ZeebeCase[] = [
  ['before(1,10)', true],
  ['before(10,1)', false],
  ['before(1,[2..5])', true],
  ['before([1..5],10)', true],
  ['before([1..5],[6..10])', true],
  ['before([1..5],[5..10])', false],
  ['before([1..5),[5..10])', true],
  ['after(10,1)', true],
  ['after([5..10],[1..5))', true],
  ['after(12,[2..5])', true],
  ['meets([1..5],[5..10])', true],
  ['meets([1..4],[5..10])', false],
  ['met by([5..10],[1..5])', true],
  ['overlaps([5..10],[1..6])', true],
  ['overlaps([1..3],[4..6])', false],
  ['overlaps before([1..5],[4..10])', true],
  ['overlaps after([4..10],[1..5])', true],
  ['finishes(5,[1..5])', true],
  ['finishes([3..5],[1..5])', true],
  ['finished by([1..5],5)', true],
  ['finished by([1..5],[3..5])', true],
  ['includes([5..10],6)', true],
  ['includes([3..6],[4..5])', true],
  ['during(5,[1..10])', true],
  ['during([4..6],[1..10])', true],
  ['starts(1,[1..5])', true],
  ['starts([1..3],[1..5])', true],
  ['started by([1..5],1)', true],
  ['started by([1..5],[1..3])', true],
  ['coincides(5,5)', true],
  ['coincides([1..5],[1..5])', true],
  ['coincides([1..5],[1..6])', false],
  ['coincides(5,"a")', null],
];

describe('FEEL compatibility with Zeebe 8.6: ranges', () => {
  testZeebeCases(CASES);
});
