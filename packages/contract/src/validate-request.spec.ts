import { expect } from 'chai';
import { routes } from './routes/index.js';
import { validateRequest } from './validate-request.js';

const runId = '01938f5a-7c1e-7b62-9d53-0c9a4f1b2e77';

describe('validateRequest', () => {
  describe('request body', () => {
    it('should accept a valid body', () => {
      // when
      const result = validateRequest(routes.startRun, {
        body: { workflowId: 'release', inputs: { range: 'a..b', deep: { list: [null] } } },
      });

      // then
      expect(result).to.deep.equal({
        ok: true,
        request: {
          params: {},
          query: {},
          body: { workflowId: 'release', inputs: { range: 'a..b', deep: { list: [null] } } },
        },
      });
    });

    it('should report each missing, invalid and unknown field', () => {
      expect(validateRequest(routes.startRun, { body: { inputs: [], color: 'red', x: 1 } })).to.deep.include({
        ok: false,
        code: 'validation_failed',
        errors: [
          { pointer: '/workflowId', code: 'missing', message: 'Required.' },
          { pointer: '/inputs', code: 'invalid_type', message: 'Invalid input: expected record, received array' },
          { pointer: '/color', code: 'unknown_field', message: 'Unknown field.' },
          { pointer: '/x', code: 'unknown_field', message: 'Unknown field.' },
        ],
      });
    });

    it('should refuse a body that is not an object', () => {
      for (const body of [undefined, null, [], 'x', 7]) {
        expect(validateRequest(routes.startRun, { body }), String(body)).to.include({
          ok: false,
          code: 'validation_failed',
        });
      }
    });

    it('should respond with `polluting_key` to a key that pollutes prototypes', () => {
      const body: unknown = JSON.parse('{"workflowId":"release","__proto__":{"role":"admin"}}');
      expect(validateRequest(routes.startRun, { body })).to.include({ ok: false, code: 'polluting_key' });
    });

    it('should never include a submitted value in errors', () => {
      const result = validateRequest(routes.decideApproval, {
        params: { approvalId: runId },
        body: { decision: 'hunter2', comment: 7, signature: ['hunter2'] },
      });
      expect(JSON.stringify(result)).to.include('/signature').and.not.to.include('hunter2');
    });

    it('should accept a missing body only if the route declares it optional', () => {
      expect(validateRequest(routes.recoverRun, { params: { runId } })).to.deep.include({ ok: true });
      expect(validateRequest(routes.cancelRun, { params: { runId } })).to.include({ ok: false });
    });

    it('should require a candidate when an approval is reassigned', () => {
      const params = { approvalId: runId };
      expect(validateRequest(routes.reassignApproval, { params, body: {} })).to.include({ code: 'validation_failed' });
      expect(validateRequest(routes.reassignApproval, { params, body: { candidateGroups: ['ops'] } })).to.include({
        ok: true,
      });
    });
  });

  describe('query parameters', () => {
    it('should convert strings to typed values and fill in defaults', () => {
      // when
      const result = validateRequest(routes.listRuns, {
        query: { status: 'blocked', stuck: 'true', workflowVersion: '2' },
      });

      // then
      expect(result).to.deep.nested.include({
        'ok': true,
        'request.query': { limit: 50, status: 'blocked', stuck: true, workflowVersion: 2 },
      });
    });

    it('should refuse parameters that are malformed, out of range, repeated or unknown', () => {
      for (const query of [
        { limit: '' },
        { limit: '0' },
        { limit: '201' },
        { limit: '1e2' },
        { limit: ['1', '2'] },
        { stuck: 'yes' },
        { status: '' },
        { status: ['active', 'blocked'] },
        { status: 'done' },
        { startedAfter: 'today' },
        { stutus: 'active' },
      ]) {
        expect(validateRequest(routes.listRuns, { query }), JSON.stringify(query)).to.include({
          ok: false,
          code: 'invalid_parameter',
        });
      }
    });

    it('should point to the parameter in the query', () => {
      expect(validateRequest(routes.listRuns, { query: { q: ['a', 'b'] } })).to.nested.include({
        'errors[0].pointer': '/query/q',
      });
    });

    it('should refuse a key that pollutes prototypes like any unknown parameter', () => {
      const query: unknown = JSON.parse('{"__proto__":"x"}');
      expect(validateRequest(routes.listRuns, { query })).to.include({ ok: false, code: 'invalid_parameter' });
    });

    it('should default to pending approvals, newest first', () => {
      expect(validateRequest(routes.listApprovals, {})).to.deep.nested.include({
        'request.query': { limit: 50, status: 'pending', sort: 'newest' },
      });
    });
  });

  describe('path parameters', () => {
    it('should respond with the not-found code of the resource when an id is malformed', () => {
      expect(validateRequest(routes.getRun, { params: { runId: 'abc' } })).to.include({
        ok: false,
        code: 'run_not_found',
      });
      expect(validateRequest(routes.getApproval, { params: { approvalId: '1 or 1=1' } })).to.include({
        ok: false,
        code: 'approval_not_found',
      });
    });

    it('should refuse invalid artifact names', () => {
      for (const artifactName of ['', '.', '..', 'a/b', 'a\\b', 'a\u0000', 'a\u0085b', 'x'.repeat(201)]) {
        expect(validateRequest(routes.downloadArtifact, { params: { runId, artifactName } }), artifactName).to.include({
          ok: false,
          code: 'validation_failed',
        });
      }
      // The run does not exist, so the artifact name is irrelevant.
      expect(validateRequest(routes.downloadArtifact, { params: { runId: 'abc', artifactName: 'a' } })).to.include({
        ok: false,
        code: 'run_not_found',
      });
      for (const artifactName of ['notes.md', '...', 'Größe 😀.txt', '.env', 'x'.repeat(200)]) {
        expect(validateRequest(routes.downloadArtifact, { params: { runId, artifactName } }), artifactName).to.include({
          ok: true,
        });
      }
    });
  });
});
