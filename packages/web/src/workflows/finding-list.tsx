import { Badge, Box, Group, Text, Title, UnstyledButton } from '@mantine/core';
import { useMemo } from 'react';
import { texts } from '../texts/index.js';
import { VirtualList } from '../ui/virtual-list.js';
import type { Finding } from './findings.js';

const { deployment: t } = texts.workflows;
const COLORS: Readonly<Record<Finding['severity'], string>> = { refusal: 'red', error: 'red', warning: 'orange' };

interface FindingListProps {
  readonly findings: readonly Finding[];
  readonly selected: string | undefined;
  onSelect(elementId: string | undefined): void;
}

/** Lists the findings with their elements. Selecting a finding selects its element in the diagram. */
export function FindingList({ findings, selected, onSelect }: FindingListProps) {
  const numberedFindings = useMemo(() => findings.map((finding, number) => ({ finding, number })), [findings]);
  return (
    <Box component="section" aria-label={t.findings} className="cs-scroll">
      <Title order={2} size="h6" mb={4}>
        {t.findings}
      </Title>
      {findings.length === 0 && <Text size="sm">{t.ok}</Text>}
      <VirtualList
        label={t.findings}
        items={numberedFindings}
        getKey={({ number }) => String(number)}
        estimatedItemHeight={76}
      >
        {({ finding: { severity, elementId, message, code, line } }) => (
          <UnstyledButton
            className="cs-list-button"
            aria-pressed={elementId !== undefined && elementId === selected}
            onClick={() => onSelect(elementId)}
          >
            <Group gap="xs">
              <Badge variant="light" color={COLORS[severity]} tt="none">
                {t.severity[severity]}
              </Badge>
              <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                {elementId ?? t.wholeFile}
                {line !== undefined && ` · ${t.line(line)}`}
              </Text>
            </Group>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {message}
            </Text>
            <Text size="xs" c="dimmed">
              {code}
            </Text>
          </UnstyledButton>
        )}
      </VirtualList>
    </Box>
  );
}
