import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { Anchor, Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';

interface MessageInstructionsProps {
  readonly messageName: string;
  readonly correlationKey: string | null;
}

/** Shows the message that another system must send to resume the run. */
export function MessageInstructions({ messageName, correlationKey }: MessageInstructionsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {texts.run.why.send}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={texts.run.why.sendTitle(messageName)} size="lg">
        <Stack gap="sm">
          <Text size="sm">{texts.run.why.sendHint}</Text>
          <section>
            <Text size="sm" fw={600}>
              {texts.run.why.sendAddress}
            </Text>
            <Code block>{texts.run.why.sendRequest(`${BASE_URL}/webhooks/events`)}</Code>
          </section>
          <section>
            <Text size="sm" fw={600}>
              {texts.run.why.sendBody}
            </Text>
            <Code block>
              {JSON.stringify({ messageName, correlationKey: correlationKey ?? '', payload: {} }, null, 2)}
            </Code>
          </section>
          <Anchor component={Link} size="sm" to="/inbound-events">
            {texts.run.why.toEvents}
          </Anchor>
        </Stack>
      </Modal>
    </>
  );
}
