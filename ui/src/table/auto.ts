// What Auto is called. It puts bets again for one seat, which whoever has several is told.

export interface AutoWords {
  title: string;
  stayUp: string;
  sameBets: string;
}

export function autoWords(seats: number): AutoWords {
  const where = seats > 1 ? " at the seat in play" : "";
  return {
    title: `Bets that are put again by themselves${where} while you are here`,
    stayUp: `Winning line bets stay up${where}`,
    sameBets: `Same bets each hand${where}`,
  };
}
