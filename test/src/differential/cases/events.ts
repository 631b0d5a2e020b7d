import { multiProcessCase, singleProcessCase, type DifferentialCase } from '../case.js';
import {
  boundaryEvent,
  catchEvent,
  cycle,
  duration,
  end,
  error,
  escalation,
  eventSubProcess,
  gateway,
  link,
  message,
  plainTask,
  scope,
  scriptTask,
  signal,
  start,
  subProcess,
  terminate,
  throwEvent,
  userTask,
  jobTask,
  type ScopeContent,
} from '../model-text.js';

const withBoundaryEvent = (definition: string, interrupting: boolean): ScopeContent =>
  scope(
    [
      start(),
      jobTask('a'),
      boundaryEvent('b', 'a', definition, interrupting),
      plainTask('after'),
      end('end'),
      end('caught'),
    ],
    'start > a',
    'a > end',
    'b > after',
    'after > caught',
  );

/** Returns a task with an event sub-process beside it. */
const withEventSubProcess = (definition: string, interrupting: boolean): ScopeContent =>
  scope(
    [
      start(),
      jobTask('a'),
      eventSubProcess(
        'handler',
        scope([start('on', definition, interrupting), jobTask('h'), end('off')], 'on > h', 'h > off'),
      ),
      end(),
    ],
    'start > a',
    'a > end',
  );

/** BPMN 2.0, 13.5. */
export const EVENT_CASES: readonly DifferentialCase[] = [
  singleProcessCase(
    'timer: a duration',
    scope([start(), catchEvent('t', duration('PT1H')), end()], 'start > t', 't > end'),
    [{ advance: 'PT59M' }, { advance: 'PT1M' }],
  ),
  singleProcessCase(
    'timer: a duration that is an expression',
    scope([start(), catchEvent('t', duration('=duration("PT" + string(n) + "M")')), end()], 'start > t', 't > end'),
    [{ advance: 'PT5M' }],
    { n: 5 },
  ),
  singleProcessCase(
    'timer: a duration that is none',
    scope([start(), catchEvent('t', duration('=x')), end()], 'start > t', 't > end'),
    [],
    { x: 'soon' },
  ),
  singleProcessCase(
    'timer: several, the next one first',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        catchEvent('t3', duration('PT3H')),
        catchEvent('t1', duration('PT1H')),
        catchEvent('t2', duration('PT2H')),
        end(),
      ],
      'start > fork',
      'fork > t3',
      'fork > t1',
      'fork > t2',
      't3 > end',
      't1 > end',
      't2 > end',
    ),
    [{ advance: 'PT4H' }],
  ),
  singleProcessCase('boundary timer: interrupts', withBoundaryEvent(duration('PT1H'), true), [{ advance: 'PT2H' }]),
  singleProcessCase('boundary timer: the task is faster', withBoundaryEvent(duration('PT1H'), true), [
    { complete: 'a' },
    { advance: 'PT2H' },
  ]),
  singleProcessCase('boundary timer: does not interrupt', withBoundaryEvent(duration('PT1H'), false), [
    { advance: 'PT2H' },
    { complete: 'a' },
  ]),
  singleProcessCase('boundary timer: a cycle that does not interrupt', withBoundaryEvent(cycle('R3/PT1H'), false), [
    { advance: 'PT2H' },
    { complete: 'a' },
  ]),
  singleProcessCase('boundary timer: a cycle that ends', withBoundaryEvent(cycle('R2/PT1H'), false), [
    { advance: 'PT5H' },
    { complete: 'a' },
  ]),
  singleProcessCase('boundary message: interrupts', withBoundaryEvent(message('m'), true), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { message: 'm', key: 'k', variables: { x: 2 } },
  ]),
  singleProcessCase('boundary message: does not interrupt, several times', withBoundaryEvent(message('m'), false), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { message: 'm', key: 'k', variables: { x: 2 } },
    { complete: 'a' },
    { message: 'm', key: 'k', variables: { x: 3 } },
  ]),
  singleProcessCase('boundary signal: interrupts', withBoundaryEvent(signal('s'), true), [
    { signal: 's', variables: { x: 1 } },
  ]),
  singleProcessCase('boundary signal: does not interrupt, several times', withBoundaryEvent(signal('s'), false), [
    { signal: 's' },
    { signal: 's' },
    { complete: 'a' },
  ]),
  singleProcessCase('boundary error: of a job', withBoundaryEvent(error('E'), true), [{ throwError: 'a', code: 'E' }]),
  singleProcessCase('boundary error: another code', withBoundaryEvent(error('E'), true), [
    { throwError: 'a', code: 'F' },
  ]),
  singleProcessCase('boundary error: any code', withBoundaryEvent(error(), true), [{ throwError: 'a', code: 'F' }]),
  singleProcessCase(
    'boundary events: an error with its code before one for any, whatever order they have',
    scope(
      [
        start(),
        jobTask('a'),
        boundaryEvent('any', 'a', error()),
        boundaryEvent('exact', 'a', error('E')),
        end('end'),
        end('caught-any'),
        end('caught-exact'),
      ],
      'start > a',
      'a > end',
      'any > caught-any',
      'exact > caught-exact',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  singleProcessCase(
    'boundary events: several on one task',
    scope(
      [
        start(),
        jobTask('a'),
        boundaryEvent('t', 'a', duration('PT1H'), false),
        boundaryEvent('m', 'a', message('m'), false),
        boundaryEvent('s', 'a', signal('s')),
        end('end'),
        plainTask('p'),
        plainTask('q'),
        plainTask('r'),
        end('e'),
      ],
      'start > a',
      'a > end',
      't > p',
      'm > q',
      's > r',
      'p > e',
      'q > e',
      'r > e',
    ),
    [{ message: 'm', key: 'k' }, { advance: 'PT2H' }, { message: 'm', key: 'k' }, { signal: 's' }],
  ),
  singleProcessCase(
    'boundary events: on a sub-process with several tokens in it',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), jobTask('a'), jobTask('b'), userTask('c'), end('e')],
            's > fork',
            'fork > a',
            'fork > b',
            'fork > c',
            'a > e',
            'b > e',
            'c > e',
          ),
        ),
        boundaryEvent('m', 'sub', message('m')),
        plainTask('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'm > after',
      'after > caught',
    ),
    [{ complete: 'a' }, { message: 'm', key: 'k' }],
  ),
  singleProcessCase(
    'boundary events: on a receive task and on a user task',
    scope(
      [start(), userTask('u'), boundaryEvent('t', 'u', duration('PT1H')), plainTask('p'), end('end'), end('e')],
      'start > u',
      'u > end',
      't > p',
      'p > e',
    ),
    [{ advance: 'PT1H' }],
  ),
  singleProcessCase('event sub-process: an interrupting message', withEventSubProcess(message('m'), true), [
    { message: 'm', key: 'k', variables: { x: 1 } },
    { complete: 'h' },
  ]),
  singleProcessCase(
    'event sub-process: a message that does not interrupt, twice',
    withEventSubProcess(message('m'), false),
    [
      { message: 'm', key: 'k', variables: { x: 1 } },
      { message: 'm', key: 'k', variables: { x: 2 } },
      { complete: 'a' },
      { complete: 'h' },
      { complete: 'h', variables: { y: 2 } },
    ],
  ),
  singleProcessCase('event sub-process: an interrupting timer', withEventSubProcess(duration('PT1H'), true), [
    { advance: 'PT1H' },
    { complete: 'h' },
  ]),
  singleProcessCase(
    'event sub-process: a timer that does not interrupt',
    withEventSubProcess(duration('PT1H'), false),
    [{ advance: 'PT3H' }, { complete: 'h' }, { complete: 'a' }],
  ),
  singleProcessCase(
    'event sub-process: a cycle that does not interrupt',
    withEventSubProcess(cycle('R2/PT1H'), false),
    [{ advance: 'PT5H' }, { complete: 'h' }, { complete: 'h' }, { complete: 'a' }],
  ),
  singleProcessCase('event sub-process: an interrupting signal', withEventSubProcess(signal('s'), true), [
    { signal: 's' },
    { complete: 'h' },
  ]),
  singleProcessCase('event sub-process: a signal that does not interrupt', withEventSubProcess(signal('s'), false), [
    { signal: 's' },
    { complete: 'a' },
    { complete: 'h' },
  ]),
  singleProcessCase('event sub-process: an error', withEventSubProcess(error('E'), true), [
    { throwError: 'a', code: 'E', variables: { x: 1 } },
    { complete: 'h' },
  ]),
  singleProcessCase(
    'event sub-process: within a sub-process, which it interrupts',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [
              start('s'),
              jobTask('a'),
              eventSubProcess(
                'handler',
                scope([start('on', message('m')), scriptTask('h', 'h', '1'), end('off')], 'on > h', 'h > off'),
              ),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        plainTask('after'),
        end(),
      ],
      'start > sub',
      'sub > after',
      'after > end',
    ),
    [{ message: 'm', key: 'k', variables: { got: 1 } }],
  ),
  singleProcessCase(
    'event sub-process: two of them, the second interrupts the first',
    scope(
      [
        start(),
        jobTask('a'),
        eventSubProcess(
          'one',
          scope([start('on1', message('m'), false), jobTask('h1'), end('off1')], 'on1 > h1', 'h1 > off1'),
        ),
        eventSubProcess(
          'two',
          scope([start('on2', message('n')), jobTask('h2'), end('off2')], 'on2 > h2', 'h2 > off2'),
        ),
        end(),
      ],
      'start > a',
      'a > end',
    ),
    [{ message: 'm', key: 'k' }, { message: 'n', key: 'k' }, { complete: 'h2' }],
  ),
  singleProcessCase(
    'event sub-process: an error in it goes on to the one around it',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [
              start('s'),
              jobTask('a'),
              eventSubProcess(
                'handler',
                scope([start('on', error('E')), plainTask('h'), end('off', error('E'))], 'on > h', 'h > off'),
              ),
              end('e'),
            ],
            's > a',
            'a > e',
          ),
        ),
        boundaryEvent('b', 'sub', error('E')),
        end(),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > caught',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  singleProcessCase(
    'signal: thrown within the run',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        catchEvent('c', signal('s')),
        throwEvent('t', signal('s')),
        plainTask('p'),
        end(),
      ],
      'start > fork',
      'fork > c',
      'fork > t',
      'c > end',
      't > p',
      'p > end',
    ),
  ),
  singleProcessCase(
    'signal: thrown before it is waited for',
    scope(
      [start(), throwEvent('t', signal('s')), catchEvent('c', signal('s')), end()],
      'start > t',
      't > c',
      'c > end',
    ),
  ),
  singleProcessCase(
    'signal: an end event',
    scope(
      [start(), gateway('parallel', 'fork'), catchEvent('c', signal('s')), end('t', signal('s')), end()],
      'start > fork',
      'fork > c',
      'fork > t',
      'c > end',
    ),
  ),
  multiProcessCase(
    'signal: two runs wait, and one is started by it',
    {
      waiting: scope([start(), catchEvent('c', signal('s')), end()], 'start > c', 'c > end'),
      started: scope([start('start-s', signal('s')), plainTask('p'), end('end-s')], 'start-s > p', 'p > end-s'),
    },
    [{ start: 'waiting' }, { start: 'waiting', variables: { n: 2 } }, { signal: 's', variables: { x: 1 } }],
  ),
  multiProcessCase(
    'message: a start event',
    { started: scope([start('start', message('begin')), plainTask('p'), end()], 'start > p', 'p > end') },
    [
      { message: 'begin', key: '', variables: { x: 1 } },
      { message: 'begin', key: '', variables: { x: 2 } },
    ],
  ),
  multiProcessCase(
    'message: of two runs with the same key the older one, of other keys none',
    { case: scope([start(), catchEvent('c', message('m')), end()], 'start > c', 'c > end') },
    [
      { start: 'case', variables: { key: 'other' } },
      { start: 'case', variables: { key: 'k', n: 1 } },
      { start: 'case', variables: { key: 'k', n: 2 } },
      { message: 'm', key: 'k', variables: { x: 1 } },
    ],
  ),
  singleProcessCase(
    'message: a key that is a number',
    scope([start(), catchEvent('c', message('m')), end()], 'start > c', 'c > end'),
    [{ message: 'm', key: '7', variables: { x: 1 } }],
    { key: 7 },
  ),
  singleProcessCase(
    'message: a key of null',
    scope([start(), catchEvent('c', message('m')), end()], 'start > c', 'c > end'),
    [],
    {
      key: null,
    },
  ),
  singleProcessCase(
    'message: twice the same in a run',
    scope(
      [start(), gateway('parallel', 'fork'), catchEvent('c', message('m')), catchEvent('d', message('m')), end()],
      'start > fork',
      'fork > c',
      'fork > d',
      'c > end',
      'd > end',
    ),
    [
      { message: 'm', key: 'k' },
      { message: 'm', key: 'k' },
    ],
  ),
  singleProcessCase(
    'link',
    scope(
      [start(), throwEvent('l', link('L')), catchEvent('c', link('L')), plainTask('p'), end()],
      'start > l',
      'c > p',
      'p > end',
    ),
  ),
  singleProcessCase(
    'link: two throws to one catch',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        throwEvent('l1', link('L')),
        throwEvent('l2', link('L')),
        catchEvent('c', link('L')),
        end(),
      ],
      'start > fork',
      'fork > l1',
      'fork > l2',
      'c > end',
    ),
  ),
  singleProcessCase(
    'terminate: ends all that is under way',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        jobTask('a'),
        userTask('b'),
        plainTask('c'),
        end('stop', terminate),
        end(),
      ],
      'start > fork',
      'fork > a',
      'fork > b',
      'fork > c',
      'a > end',
      'b > end',
      'c > stop',
    ),
  ),
  singleProcessCase(
    'terminate: ends its sub-process alone',
    scope(
      [
        start(),
        gateway('parallel', 'fork'),
        jobTask('a'),
        subProcess(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'split'), jobTask('b'), plainTask('c'), end('stop', terminate), end('e')],
            's > split',
            'split > b',
            'split > c',
            'b > e',
            'c > stop',
          ),
        ),
        plainTask('after'),
        end(),
      ],
      'start > fork',
      'fork > a',
      'fork > sub',
      'sub > after',
      'after > end',
      'a > end',
    ),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'escalation: an end event that nothing catches',
    scope([start(), plainTask('a'), end('end', escalation('X'))], 'start > a', 'a > end'),
  ),
  singleProcessCase(
    'error: an end event that nothing catches',
    scope([start(), plainTask('a'), end('end', error('E'))], 'start > a', 'a > end'),
  ),
  singleProcessCase(
    'error: an end event within a sub-process',
    scope(
      [
        start(),
        subProcess(
          'sub',
          scope(
            [start('s'), gateway('parallel', 'fork'), jobTask('a'), end('bad', error('E')), end('e')],
            's > fork',
            'fork > a',
            'fork > bad',
            'a > e',
          ),
        ),
        boundaryEvent('b', 'sub', error('E')),
        plainTask('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > after',
      'after > caught',
    ),
  ),
  singleProcessCase(
    'error: caught by the innermost that has its code',
    scope(
      [
        start(),
        subProcess(
          'outer',
          scope(
            [
              start('s1'),
              subProcess('inner', scope([start('s2'), jobTask('a'), end('e2')], 's2 > a', 'a > e2')),
              boundaryEvent('b-inner', 'inner', error('F')),
              end('e1'),
              end('caught-inner'),
            ],
            's1 > inner',
            'inner > e1',
            'b-inner > caught-inner',
          ),
        ),
        boundaryEvent('b-outer', 'outer', error('E')),
        end('end'),
        end('caught-outer'),
      ],
      'start > outer',
      'outer > end',
      'b-outer > caught-outer',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  singleProcessCase(
    'error: one for any within comes before its code without',
    scope(
      [
        start(),
        subProcess(
          'outer',
          scope(
            [
              start('s1'),
              subProcess('inner', scope([start('s2'), jobTask('a'), end('e2')], 's2 > a', 'a > e2')),
              boundaryEvent('b-inner', 'inner', error()),
              end('e1'),
              end('caught-inner'),
            ],
            's1 > inner',
            'inner > e1',
            'b-inner > caught-inner',
          ),
        ),
        boundaryEvent('b-outer', 'outer', error('E')),
        end('end'),
        end('caught-outer'),
      ],
      'start > outer',
      'outer > end',
      'b-outer > caught-outer',
    ),
    [{ throwError: 'a', code: 'E' }],
  ),
  ...[true, false].map((interrupting) =>
    singleProcessCase(
      `escalation: a throw within a sub-process, ${interrupting ? 'interrupting' : 'not interrupting'}`,
      scope(
        [
          start(),
          subProcess(
            'sub',
            scope(
              [start('s'), throwEvent('t', escalation('X')), plainTask('more'), end('e')],
              's > t',
              't > more',
              'more > e',
            ),
          ),
          boundaryEvent('b', 'sub', escalation('X'), interrupting),
          plainTask('after'),
          end('end'),
          end('caught'),
        ],
        'start > sub',
        'sub > end',
        'b > after',
        'after > caught',
      ),
    ),
  ),
  singleProcessCase(
    'escalation: an event sub-process that does not interrupt',
    scope(
      [
        start(),
        throwEvent('t', escalation('X')),
        jobTask('a'),
        eventSubProcess(
          'handler',
          scope([start('on', escalation('X'), false), plainTask('h'), end('off')], 'on > h', 'h > off'),
        ),
        end(),
      ],
      'start > t',
      't > a',
      'a > end',
    ),
    [{ complete: 'a' }],
  ),
  singleProcessCase(
    'escalation: an end event caught by any',
    scope(
      [
        start(),
        subProcess('sub', scope([start('s'), end('e', escalation('X'))], 's > e')),
        boundaryEvent('b', 'sub', escalation(), false),
        plainTask('after'),
        end('end'),
        end('caught'),
      ],
      'start > sub',
      'sub > end',
      'b > after',
      'after > caught',
    ),
  ),
];
