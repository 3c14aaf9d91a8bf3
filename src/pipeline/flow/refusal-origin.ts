/** How improbable it must be that chance refuses one endpoint alone, and from when on it may be no chance. */
const improbable = 0.003;
const doubtful = 0.2;
/** Outcomes of others between two refusals that count. */
const apart = 2;
/** The least share of an endpoint's requests that is refused. */
const leastShare = 0.1;
/** Refused accounts that are remembered, and accepted requests of others between two refusals of one of them. */
const mostAccounts = 256;
const enoughOthers = 16;

/** Tells refusals of a single account, or of one endpoint, from those of the whole platform. */
export class RefusalOrigin {
  /** Since one endpoint was refused, and no other: its refusals, all of its outcomes, and those of all endpoints. */
  #series: { readonly endpoint: string; refused: number; own: number; all: number } | undefined;
  /** Outcomes of other endpoints since. */
  #elsewhere = 0;
  /** Accounts that were refused and not accepted since: how often, and when last, counted in accepted requests. */
  readonly #accounts = new Map<string, { times: number; at: number }>();
  #accepted = 0;

  accepted(account: string, endpoint: string): void {
    this.#accounts.delete(account);
    this.#accepted += 1;
    this.#count(endpoint);
  }

  /**
   * Says whose refusal it is; `unclear` while too little is known to tell an endpoint's from the platform's.
   * `isAccepted`: others are accepted with as many under way.
   */
  refused(
    account: string,
    endpoint: string,
    isAccepted: boolean,
  ): 'account' | 'endpoint' | 'unclear' | 'platform' {
    const before = this.#accounts.get(account) ?? { times: 0, at: this.#accepted };
    const others = this.#accepted - before.at;
    this.#accounts.delete(account);
    this.#accounts.set(account, { times: before.times + 1, at: this.#accepted });
    const [oldest] = this.#accounts.keys();
    // Stryker disable next-line ConditionalExpression: there is one, since more than none are there
    if (this.#accounts.size > mostAccounts && oldest !== undefined) this.#accounts.delete(oldest);
    if (before.times >= 2 && others >= enoughOthers) return 'account';
    if (!isAccepted) return 'platform';
    if (this.#series?.endpoint === endpoint) {
      // Several at once have one cause.
      if (this.#elsewhere < apart) return 'unclear';
      this.#series.refused += 1;
    } else this.#series = { endpoint, refused: 0, own: 1, all: 1 };
    this.#elsewhere = 0;
    this.#count(endpoint);
    const { refused, own, all } = this.#series;
    const chance = (own / all) ** refused;
    const isMuch = refused >= leastShare * own;
    return chance < improbable && isMuch ? 'endpoint' : chance < doubtful ? 'unclear' : 'platform';
  }

  #count(endpoint: string): void {
    const series = this.#series;
    if (series === undefined) return;
    series.all += 1;
    if (series.endpoint === endpoint) series.own += 1;
    else this.#elsewhere += 1;
  }
}
