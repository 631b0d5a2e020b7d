import { Group, Table, Text } from '@mantine/core';
import type { Approval } from '@countersign/contract';
import { texts } from '../texts/index.js';
import { RiskBadge } from '../ui/badges.js';
import { DecisionPart } from './decision-part.js';

/** Risk level that the policy has determined, with its risk factors by descending weight. */
export function RiskPart({ approval: { riskLevel, riskFactors } }: { readonly approval: Approval }) {
  const t = texts.approvals;
  const factors = [...riskFactors].sort((one, other) => other.weight - one.weight);
  return (
    <DecisionPart title={t.parts.risk}>
      <Group gap="sm" mb={factors.length === 0 ? 0 : 'xs'}>
        <RiskBadge level={riskLevel} />
        {factors.length === 0 && (
          <Text size="sm" c="dimmed">
            {t.noFactors}
          </Text>
        )}
      </Group>
      {factors.length > 0 && (
        <Table aria-label={t.factors} verticalSpacing={6} withRowBorders={false}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t.factor}</Table.Th>
              <Table.Th ta="right" w={90}>
                {t.weight}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {factors.map(({ code, description, weight }) => (
              <Table.Tr key={code}>
                <Table.Td>
                  {description}{' '}
                  <Text component="span" size="xs" c="dimmed" ff="monospace">
                    {code}
                  </Text>
                </Table.Td>
                <Table.Td ta="right">{weight}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      )}
    </DecisionPart>
  );
}
