import { expect } from 'chai';
import { HTTP, type CloudEvent } from 'cloudevents';
import { buildCloudEvent, buildSlackMessage } from './envelope.js';

describe('the body of notifications', () => {
  const EVENT_CONTEXT = { idempotencyKey: '0199-job', runId: '0199-run', workflowId: 'Release approval' };
  const NOW = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
  const parseEvent = (message: { readonly contentType: string; readonly body: string }) => {
    const event = HTTP.toEvent({
      headers: { 'content-type': message.contentType },
      body: message.body,
    }) as CloudEvent<unknown>;
    event.validate();
    return event.toJSON();
  };

  it('should be a valid CloudEvent', () => {
    expect(
      parseEvent(
        buildCloudEvent(
          { endpoint: 'ops', type: 'org.example.released', data: { version: '1.0' } },
          EVENT_CONTEXT,
          '/countersign/',
          NOW,
        ),
      ),
    ).to.deep.include({
      specversion: '1.0',
      id: '0199-job',
      source: '/countersign/workflows/Release%20approval',
      type: 'org.example.released',
      subject: '0199-run',
      time: '2026-01-02T03:04:05.006Z',
      datacontenttype: 'application/json',
      data: { version: '1.0' },
    });
  });

  it('should be a valid CloudEvent without data and with the subject from the BPMN model', () => {
    const event = parseEvent(
      buildCloudEvent({ endpoint: 'ops', type: 't', subject: 'v1.0' }, EVENT_CONTEXT, 'https://flows.example', NOW),
    );

    expect(event).to.include({ source: 'https://flows.example/workflows/Release%20approval', subject: 'v1.0' });
    expect(event['data']).to.equal(undefined);
  });

  it('should escape Slack markup unless the BPMN model enables markup', () => {
    const body = (input: object) =>
      JSON.parse(
        buildSlackMessage({ endpoint: 'e', text: '<!channel> & <https://evil.example|here>', markup: false, ...input })
          .body,
      ) as object;

    expect(body({})).to.deep.equal({ text: '&lt;!channel&gt; &amp; &lt;https://evil.example|here&gt;' });
    expect(body({ markup: true, text: '<https://a.example|a>', blocks: [{ type: 'divider' }] })).to.deep.equal({
      text: '<https://a.example|a>',
      blocks: [{ type: 'divider' }],
    });
  });
});
