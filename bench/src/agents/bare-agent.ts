import OpenAI from 'openai';

type Messages = OpenAI.ChatCompletionMessageParam[];

const INPUTS = { subject: 'something', number: 7 };
const TOOL: OpenAI.ChatCompletionTool = {
  type: 'function',
  function: {
    name: 'run_inputs',
    description: 'Returns the inputs.',
    parameters: { type: 'object', properties: { name: { type: 'string' } }, additionalProperties: false },
  },
};

/**
 * The same agent loop with only the OpenAI SDK, as in the SDK's documentation: in memory, without policy, history or
 * recovery after a restart.
 */
export class BareAgent {
  private readonly client: OpenAI;

  constructor(baseURL: string) {
    this.client = new OpenAI({ baseURL, apiKey: 'none' });
  }

  async complete(model: string): Promise<void> {
    const messages: Messages = [
      { role: 'system', content: 'You do one step of a workflow.' },
      { role: 'user', content: `Do it.\n${JSON.stringify(INPUTS)}` },
    ];
    for (;;) {
      const message = await this.client.chat.completions
        .stream({ model, messages, tools: [TOOL], stream_options: { include_usage: true } })
        .finalMessage();
      messages.push(message);
      if (message.tool_calls === undefined || message.tool_calls.length === 0) return;
      for (const { id } of message.tool_calls)
        messages.push({ role: 'tool', tool_call_id: id, content: JSON.stringify(INPUTS) });
    }
  }
}
