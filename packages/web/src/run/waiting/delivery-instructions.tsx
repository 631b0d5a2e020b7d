import { BASE_URL } from '@countersign/inbox-ui/app/base-url';
import { Anchor, Button, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { texts } from '../../texts/index.js';

interface DeliveryInstructionsProps {
  readonly messageName: string;
  readonly correlationKey: string | null;
}

/** Shows what a system must send to resume the run. */
export function DeliveryInstructions({ messageName, correlationKey }: DeliveryInstructionsProps) {
  const [opened, setOpened] = useState(false);
  return (
    <>
      <Button size="xs" variant="default" onClick={() => setOpened(true)}>
        {texts.run.why.deliver}
      </Button>
      <Modal opened={opened} onClose={() => setOpened(false)} title={texts.run.why.deliverTitle(messageName)} size="lg">
        <Stack gap="sm">
          <Text size="sm">{texts.run.why.deliverHint}</Text>
          <section>
            <Text size="sm" fw={600}>
              {texts.run.why.deliverAddress}
            </Text>
            <Code block>{texts.run.why.deliverTo(`${BASE_URL}/webhooks/events`)}</Code>
          </section>
          <section>
            <Text size="sm" fw={600}>
              {texts.run.why.deliverBody}
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
