import {
  createClient,
  type Approval,
  type Client,
  type Problem,
  type Role,
  type RouteResult,
  type routes,
} from '@countersign/contract';
import { approvalModel, createTestHost, isoTimeIn, signInApprovers, type TestHost } from '@countersign/testing';
import { expect } from 'chai';
import { expectProblem, waitForApproval } from './http.spec.support.js';

const HOUR_MS = 3_600_000;
const assignmentExtensions = (assignment: string): string =>
  `<bpmn:extensionElements><zeebe:assignmentDefinition ${assignment} /></bpmn:extensionElements>`;

type TokenDetails = NonNullable<Parameters<TestHost['token']>[1]>;
interface Named {
  readonly name: string;
  readonly allowUnknown?: boolean;
}
type UserList = RouteResult<(typeof routes)['listUsers']>;
type GroupList = RouteResult<(typeof routes)['listGroups']>;

describe('API: known users and groups', () => {
  let countersign: TestHost;
  let viewer: Client;
  let ada: Client;
  let admin: Client;

  before(async () => {
    countersign = await createTestHost({ jobTypes: ['work'] });
    await countersign.deploy(approvalModel('by-ada', '', assignmentExtensions('candidateUsers="ada"')));
    await countersign.deploy(
      approvalModel('by-night-shift', '', assignmentExtensions('candidateUsers="ida" candidateGroups="night-shift"')),
    );
    [viewer, ada, admin] = await Promise.all([
      countersign.client('viewer', 'vera'),
      countersign.client('approver', 'ada'),
      countersign.client('admin', 'root'),
    ]);
    await signInApprovers(countersign, 'bob');
    await signIn({ subject: 'gil', groups: ['leads'] });
  });

  after(() => countersign.close());

  async function createApproval(workflowId = 'by-ada'): Promise<Approval> {
    const { runId } = await viewer.startRun({ body: { workflowId } });
    await countersign.jobs.complete('work');
    return waitForApproval(viewer, runId);
  }

  async function createClientOf(details: TokenDetails, role: Role = 'approver', server = countersign): Promise<Client> {
    return createClient({ baseUrl: server.url, token: await server.token(role, details) });
  }

  /** Makes a request with a new token. */
  async function signIn(details: TokenDetails, role: Role = 'approver'): Promise<void> {
    await (await createClientOf(details, role)).getMe();
  }

  async function get(path: string, role: Role = 'approver', server = countersign): Promise<Response> {
    const authorization = `Bearer ${await server.token(role, { subject: role === 'admin' ? 'root' : `a-${role}` })}`;
    return fetch(`${server.url}${path}`, { headers: { authorization } });
  }

  async function getList<List>(path: string, role: Role = 'approver', server = countersign): Promise<List> {
    const response = await get(path, role, server);
    expect(response.status).to.equal(200);
    return (await response.json()) as List;
  }

  const listUsers = async (search: string): Promise<UserList['items']> =>
    (await getList<UserList>(`/api/users?q=${encodeURIComponent(search)}`)).items;
  const listIds = async (search: string): Promise<string[]> => (await listUsers(search)).map(({ id }) => id);
  const listGroups = async (search: string): Promise<GroupList['items']> =>
    (await getList<GroupList>(`/api/groups?q=${encodeURIComponent(search)}`, 'admin')).items;

  async function readRefusal(response: Response): Promise<{ status: number; code: string }> {
    return { status: response.status, code: ((await response.json()) as Problem).code };
  }

  /** Returns the fields that a request is refused for, and why. */
  async function listFieldErrors(call: Promise<unknown>): Promise<{ pointer: string; code: string }[]> {
    const problem = await expectProblem(call);
    expect(problem).to.include({ status: 422, code: 'validation_failed' });
    return problem.errors.map(({ pointer, code }) => ({ pointer, code }));
  }

  describe('a request that names a user', () => {
    let approval: Approval;

    beforeEach(async () => {
      approval = await createApproval();
    });

    afterEach(async () => {
      for (const { subject } of (await admin.listAbsences()).items) await admin.endAbsence({ subject });
    });

    const readApproval = async () => {
      const { items } = await viewer.listRunEvents({ runId: approval.runId, limit: 200 });
      return { events: items, approval: await viewer.getApproval(approval) };
    };
    const absence = ({ name, ...others }: Named) => ({ substitute: name, until: isoTimeIn(HOUR_MS), ...others });
    const readAbsences = async () => (await admin.listAbsences()).items;

    const requests: Record<
      string,
      {
        readonly pointer: string;
        readonly send: (named: Named) => Promise<unknown>;
        readonly read: () => Promise<unknown>;
        /** Returns the name that the server stored. */
        readonly readName: () => Promise<string | null | undefined>;
      }
    > = {
      'a delegation': {
        pointer: '/to',
        send: ({ name, ...others }) =>
          ada.delegateApproval({ approvalId: approval.approvalId, body: { to: name, ...others } }),
        read: readApproval,
        readName: async () => (await viewer.getApproval(approval)).delegations[0]?.to,
      },
      'a reassignment': {
        pointer: '/candidateUsers/0',
        send: ({ name, ...others }) =>
          admin.reassignApproval({ approvalId: approval.approvalId, body: { candidateUsers: [name], ...others } }),
        read: readApproval,
        readName: async () => (await viewer.getApproval(approval)).candidateUsers[0],
      },
      "the user's own absence": {
        pointer: '/substitute',
        send: (named) => ada.setMyAbsence({ body: absence(named) }),
        read: readAbsences,
        readName: async () => (await ada.getMyAbsence()).absence?.substitute,
      },
      'an absence that an administrator sets': {
        pointer: '/substitute',
        send: (named) => admin.setAbsence({ subject: 'ada', body: absence(named) }),
        read: readAbsences,
        readName: async () => (await ada.getMyAbsence()).absence?.substitute,
      },
    };
    for (const [caseName, { pointer, send, read, readName }] of Object.entries(requests)) {
      it(`should be refused if the user is unknown, and change nothing: ${caseName}`, async () => {
        // given
        const before = await read();

        // when
        const fieldErrors = [await listFieldErrors(send({ name: 'nobody' }))];
        fieldErrors.push(await listFieldErrors(send({ name: 'nobody', allowUnknown: false })));
        fieldErrors.push(await listFieldErrors(send({ name: 'BOB' })));

        // then
        const expected = [{ pointer, code: 'unknown_user' }];
        expect(fieldErrors).to.deep.equal([expected, expected, expected]);
        expect(await read()).to.deep.equal(before);
      });

      it(`should be accepted if it allows unknown users, or if the user has signed in: ${caseName}`, async () => {
        // when
        await send({ name: 'nobody', allowUnknown: true });

        // then
        expect(await readName()).to.equal('nobody');

        // and when the user is known
        approval = await createApproval();
        await send({ name: 'bob' });
        expect(await readName()).to.equal('bob');
      });
    }

    it('should be accepted with a substitute who is already set, but not with another unknown one', async () => {
      // given
      await ada.setMyAbsence({ body: absence({ name: 'nobody', allowUnknown: true }) });

      // when: the end changes
      const changed = await ada.setMyAbsence({
        body: { ...absence({ name: 'nobody' }), until: isoTimeIn(2 * HOUR_MS) },
      });

      // then
      expect(changed.substitute).to.equal('nobody');
      expect(await listFieldErrors(ada.setMyAbsence({ body: absence({ name: 'nobody else' }) }))).to.deep.equal([
        { pointer: '/substitute', code: 'unknown_user' },
      ]);
    });

    it('should be refused for other reasons first', async () => {
      // given
      const bob = await countersign.client('approver', 'bob');
      const body = { to: 'nobody' };

      // then
      expect(await expectProblem(bob.delegateApproval({ approvalId: approval.approvalId, body }))).to.include({
        code: 'not_a_candidate',
      });
      const unknownId = { approvalId: approval.runId };
      expect(await expectProblem(ada.delegateApproval({ ...unknownId, body }))).to.include({
        code: 'approval_not_found',
      });
      const candidates = { candidateUsers: ['nobody'] };
      expect(await expectProblem(admin.reassignApproval({ ...unknownId, body: candidates }))).to.include({
        code: 'approval_not_found',
      });
      await ada.decideApproval({ approvalId: approval.approvalId, body: { decision: 'approve' } });
      expect(await expectProblem(ada.delegateApproval({ approvalId: approval.approvalId, body }))).to.include({
        code: 'approval_already_resolved',
      });
      expect(
        await expectProblem(admin.reassignApproval({ approvalId: approval.approvalId, body: candidates })),
      ).to.include({ code: 'approval_already_resolved' });
    });

    it('should be accepted if it names a person by user name, in any case, after they have signed in', async () => {
      // given
      const { approvalId } = approval;
      const delegate = () => ada.delegateApproval({ approvalId, body: { to: 'Hal@Example.com' } });
      expect(await listFieldErrors(delegate())).to.deep.equal([{ pointer: '/to', code: 'unknown_user' }]);

      // when
      await signIn({ subject: 'u-hal', userName: 'hal@example.com' });

      // then
      expect((await delegate()).delegations[0]?.to).to.equal('Hal@Example.com');
    });

    it('should be refused if only a service or an agent has that name', async () => {
      // given
      await signIn({ subject: 'deploy-bot', kind: 'service' });
      await signIn({ subject: 'chat-bot', kind: 'agent' });
      const candidateUsers = ['deploy-bot', 'bob', 'chat-bot'];

      // then
      expect(
        await listFieldErrors(admin.reassignApproval({ approvalId: approval.approvalId, body: { candidateUsers } })),
      ).to.deep.equal([
        { pointer: '/candidateUsers/0', code: 'unknown_user' },
        { pointer: '/candidateUsers/2', code: 'unknown_user' },
      ]);
    });
  });

  describe('a reassignment', () => {
    const reassign = (
      { approvalId }: Approval,
      body: { candidateUsers?: string[]; candidateGroups?: string[]; allowUnknown?: boolean },
    ) => admin.reassignApproval({ approvalId, body });

    it('should be refused if it names unknown groups, and accepted with groups from tokens, in the same case', async () => {
      // given
      const approval = await createApproval();

      // when
      const unknown = { candidateGroups: ['leads', 'nobodies', 'Leads'] };
      const fieldErrors = await listFieldErrors(reassign(approval, { ...unknown, candidateUsers: ['bob', 'nobody'] }));

      // then
      expect(fieldErrors).to.deep.equal([
        { pointer: '/candidateUsers/1', code: 'unknown_user' },
        { pointer: '/candidateGroups/1', code: 'unknown_group' },
        { pointer: '/candidateGroups/2', code: 'unknown_group' },
      ]);
      expect(await viewer.getApproval(approval)).to.deep.include({
        candidateUsers: ['ada'],
        candidateGroups: [],
        round: 1,
      });
      expect((await reassign(approval, { candidateGroups: ['leads'] })).candidateGroups).to.deep.equal(['leads']);
      expect((await reassign(approval, { ...unknown, allowUnknown: true })).candidateGroups).to.deep.equal(
        unknown.candidateGroups,
      );
    });

    it('should accept the candidates of the approval, even if they have never signed in', async () => {
      // given: the BPMN model names the candidates
      const approval = await createApproval('by-night-shift');
      expect(
        await listFieldErrors(reassign(await createApproval(), { candidateUsers: ['ida'] })),
        'for another approval',
      ).to.deep.equal([{ pointer: '/candidateUsers/0', code: 'unknown_user' }]);

      // when
      const fieldErrors = await listFieldErrors(
        reassign(approval, { candidateUsers: ['nobody', 'ida'], candidateGroups: ['night-shift', 'day-shift'] }),
      );
      const reassigned = await reassign(approval, {
        candidateUsers: ['ida', 'bob'],
        candidateGroups: ['leads', 'night-shift'],
      });

      // then
      expect(fieldErrors).to.deep.equal([
        { pointer: '/candidateUsers/0', code: 'unknown_user' },
        { pointer: '/candidateGroups/1', code: 'unknown_group' },
      ]);
      expect(reassigned).to.deep.include({
        candidateUsers: ['ida', 'bob'],
        candidateGroups: ['leads', 'night-shift'],
      });
    });
  });

  describe('the list of users', () => {
    it('should contain the people who have signed in, by name, but no services and agents', async () => {
      // given
      expect(await listUsers('quill')).to.deep.equal([]);
      await signIn({ subject: 'q-3', name: 'Zoë Quill' }, 'viewer');
      await signIn({ subject: 'q-2', name: 'ben Quill', userName: 'Ben@Quill.example' }, 'admin');
      await signIn({ subject: 'quill-1', groups: ['leads'] });
      await signIn({ subject: 'q-4', name: 'Amy Quill' });
      await signIn({ subject: 'q-5', name: 'Bot Quill', kind: 'service' });
      await signIn({ subject: 'q-6', name: 'Agent Quill', kind: 'agent' });

      // then
      const [amy, ben, unnamed, zoe] = [
        { id: 'q-4', name: 'Amy Quill', userName: null, mayDecide: true },
        { id: 'q-2', name: 'ben Quill', userName: 'Ben@Quill.example', mayDecide: true },
        { id: 'quill-1', name: null, userName: null, mayDecide: true },
        { id: 'q-3', name: 'Zoë Quill', userName: null, mayDecide: false },
      ];
      expect(await listUsers('quill')).to.deep.equal([amy, ben, unnamed, zoe]);
      expect(await listUsers('  QUILL zoË ')).to.deep.equal([zoe]);
      expect(await listUsers('quill.example')).to.deep.equal([ben]);
      expect(await listUsers('quill q-4')).to.deep.equal([amy]);
      expect(await listUsers('amy zoë')).to.deep.equal([]);
    });

    it('should have pages, and refuse invalid cursors and searches', async () => {
      // given
      for (const number of [1, 2, 3]) await signIn({ subject: `pager-${number}`, name: `Person ${4 - number}` });

      // when
      const ids: string[] = [];
      const sizes: number[] = [];
      for (let cursor: string | null | undefined; cursor !== null;) {
        const page: UserList = await getList<UserList>(
          `/api/users?q=pager&limit=2${cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        );
        ids.push(...page.items.map(({ id }) => id));
        sizes.push(page.items.length);
        cursor = page.nextCursor;
      }

      // then
      expect(ids).to.deep.equal(['pager-3', 'pager-2', 'pager-1']);
      expect(sizes).to.deep.equal([2, 1]);
      const { nextCursor } = await getList<UserList>('/api/users?q=pager&limit=1');
      for (const path of [
        '/api/users?cursor=rubbish',
        `/api/users?q=other&cursor=${encodeURIComponent(nextCursor ?? '')}`,
      ])
        expect(await readRefusal(await get(path)), path).to.include({ status: 400, code: 'invalid_cursor' });
      for (const path of [`/api/groups?cursor=rubbish`, `/api/groups?cursor=${encodeURIComponent(nextCursor ?? '')}`])
        expect(await readRefusal(await get(path, 'admin')), path).to.include({ status: 400, code: 'invalid_cursor' });
      expect(await readRefusal(await get('/api/users?q='))).to.include({ status: 400, code: 'invalid_parameter' });
    });

    it('should be for approvers, and the list of groups for administrators', async () => {
      const getStatuses = async (path: string) => {
        const statuses: Record<string, number> = {};
        for (const role of ['viewer', 'operator', 'approver', 'admin'] as const)
          statuses[role] = (await get(path, role)).status;
        return statuses;
      };

      expect(await getStatuses('/api/users')).to.deep.equal({ viewer: 403, operator: 403, approver: 200, admin: 200 });
      expect(await getStatuses('/api/groups')).to.deep.equal({ viewer: 403, operator: 403, approver: 403, admin: 200 });
      expect(await readRefusal(await get('/api/users', 'operator'))).to.include({ code: 'forbidden' });
      expect(await readRefusal(await get('/api/groups', 'approver'))).to.include({ code: 'forbidden' });
    });

    it('should not contain people whose data was erased until they sign in again', async () => {
      // given
      const details = { subject: 'lea-lorne', name: 'Lea Lorne', groups: ['lorne-group'] };
      await signIn(details);
      expect(await listIds('lorne')).to.deep.equal(['lea-lorne']);
      const delegate = async () => {
        const { approvalId } = await createApproval();
        return ada.delegateApproval({ approvalId, body: { to: 'lea-lorne' } });
      };

      // when
      await admin.erasePerson({ body: { person: 'lea-lorne', reason: 'Request 118' } });

      // then
      expect(await listIds('lorne')).to.deep.equal([]);
      expect(await listGroups('lorne')).to.deep.equal([]);
      expect(await listFieldErrors(delegate())).to.deep.equal([{ pointer: '/to', code: 'unknown_user' }]);

      // and when they sign in again
      await signIn(details);
      expect(await listIds('lorne')).to.deep.equal(['lea-lorne']);
      expect(await listGroups('lorne')).to.deep.equal([{ name: 'lorne-group', deciders: 1 }]);
      expect((await delegate()).delegations[0]?.to).to.equal('lea-lorne');
    });

    it('should not contain people whose data was erased while a run that names them is active', async () => {
      // given
      await signIn({ subject: 'nia', name: 'Nia Norton', groups: ['norton-group'] });
      const { approvalId, runId } = await createApproval();
      await ada.delegateApproval({ approvalId, body: { to: 'nia' } });

      // when
      const { runs } = await admin.erasePerson({ body: { person: 'nia', reason: 'Request 118' } });

      // then
      expect(runs).to.deep.equal([{ runId, status: 'not_ended' }]);
      expect(await listIds('norton')).to.deep.equal([]);
      expect(await listIds('nia')).to.deep.equal([]);
      expect(await listGroups('norton')).to.deep.equal([]);
    });

    it('should describe people and groups as the last tokens do', async () => {
      // given
      await signIn({ subject: 'moe', name: 'Moe Marsh', groups: ['marsh-one', 'marsh-two'] });
      await signIn({ subject: 'mia', name: 'Mia Marsh', groups: ['marsh-two'] });
      expect(await listGroups('marsh')).to.deep.equal([
        { name: 'marsh-one', deciders: 1 },
        { name: 'marsh-two', deciders: 2 },
      ]);

      // when
      await signIn({ subject: 'moe', name: 'Moe Moor', groups: ['marsh-two', 'marsh-three'] }, 'operator');

      // then
      expect(await listGroups('MARSH')).to.deep.equal([
        { name: 'marsh-three', deciders: 0 },
        { name: 'marsh-two', deciders: 1 },
      ]);
      expect(await listGroups('two marsh')).to.deep.equal([{ name: 'marsh-two', deciders: 1 }]);
      expect(await listUsers('moe')).to.deep.equal([{ id: 'moe', name: 'Moe Moor', userName: null, mayDecide: false }]);
      expect(await listIds('marsh')).to.deep.equal(['mia']);
      const { approvalId } = await createApproval();
      expect(
        await listFieldErrors(admin.reassignApproval({ approvalId, body: { candidateGroups: ['marsh-one'] } })),
      ).to.deep.equal([{ pointer: '/candidateGroups/0', code: 'unknown_group' }]);
    });
  });

  describe('the users of a development server', () => {
    it('should be listed as soon as somebody has requested a development token', async () => {
      // given
      const server = await createTestHost();
      try {
        const listAll = async () => (await getList<UserList>('/api/users', 'admin', server)).items;
        const root = { id: 'root', name: null, userName: null, mayDecide: true };
        expect(await listAll()).to.deep.equal([root]);

        // when
        const client = createClient({ baseUrl: server.url });
        await client.createToken({ body: { subject: 'zed', role: 'viewer' } });

        // then: the requested token has not been used yet
        const users = [
          { id: 'alice', name: 'Alice', userName: null, mayDecide: true },
          { id: 'ann', name: 'Ann', userName: null, mayDecide: false },
          { id: 'bob', name: 'Bob', userName: null, mayDecide: true },
          { id: 'carol', name: 'Carol', userName: null, mayDecide: true },
          root,
          { id: 'vera', name: 'Vera', userName: null, mayDecide: false },
        ];
        expect(await listAll()).to.deep.equal(users);

        // and a token of one of them replaces the configured name and role
        await (await createClientOf({ subject: 'ann', name: 'Ann Smith' }, 'approver', server)).getMe();
        await client.createToken({ body: { subject: 'zed', role: 'viewer' } });
        expect((await listAll()).find(({ id }) => id === 'ann')).to.include({ name: 'Ann Smith', mayDecide: true });
      } finally {
        await server.close();
      }
    });
  });
});
