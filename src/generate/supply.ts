import type { JsonObject } from '../domain/json.ts';
import { dateText } from './calendar.ts';
import type { Country } from './countries.ts';
import type { AccountContext } from './account-context.ts';

/** An address whose house number no other address of the account has (interface, section 2.3). */
export function address({ random }: AccountContext, country: Country, number: number): JsonObject {
  const [locality, area] = random.pick(country.towns);
  return {
    street_address: `${number} ${random.pick(country.streets)}`,
    locality,
    administrative_area: area,
    postal_code: country.postalCode(random),
    country: country.code,
  };
}

/** The supply addresses of an account: none, one or two, each with its supply points (interface, section 2.3). */
export function supplyAddressesOf(context: AccountContext, country: Country): JsonObject[] {
  const count = context.position % 17 === 16 ? 0 : 1 + Number(context.oneIn(5));
  return Array.from({ length: count }, (_, index) => {
    const points = 1 + Number(context.oneIn(4));
    return {
      customer_at_supply_address_from_date: dateText(context.opened),
      supply_address: address(context, country, 10 + index),
      supply_points: Array.from({ length: points }, (_, point) =>
        supplyPoint(context, index * points + point),
      ),
    };
  });
}

function supplyPoint(context: AccountContext, index: number): JsonObject {
  const { random, opened, closing } = context;
  const load_zone = `ZONE_${random.between(1, 9)}`;
  return {
    agreements: agreements(context),
    last_billed_to_date: dateText(closing),
    supply_start_date: dateText(opened),
    identifier: supplyPointIdentifier(context, index),
    supply_type: 'ELECTRICITY',
    load_zone,
  };
}

/** Agreements that follow one another from the day supply began; the last one runs on. */
function agreements({ random, opened }: AccountContext): JsonObject[] {
  let from = opened;
  return Array.from({ length: random.between(1, 3) }, () => {
    const agreement = { effective_from: dateText(from), tariff_code: tariffCode(random.between(1, 99)) };
    from += random.between(60, 120);
    return agreement;
  });
}

export function supplyPointIdentifier({ position }: AccountContext, index: number): string {
  return `12${String(position + 1).padStart(9, '0')}${String(index).padStart(2, '0')}`;
}

export function tariffCode(number: number): string {
  return `STANDARD-${String(number).padStart(2, '0')}`;
}
