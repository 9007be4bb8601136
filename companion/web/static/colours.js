// Colours of the physical sets. `mark` tells two sides apart without colour: it chooses the shape of the base.

export const PALETTE = {
  silver: ["#fbfcfd", "#c9d2da", "#84909c", "#39434d", "#84909c"],
  red: ["#ff9d8c", "#d93a2e", "#8c1a13", "#45100c", "#d93a2e"],
  gold: ["#ffedb0", "#e2b035", "#94690d", "#473305", "#b2861a"],
  orange: ["#ffcb96", "#f2801f", "#a54d07", "#4f2503", "#de6d0d"],
  blue: ["#a9d0ff", "#3279de", "#184690", "#0b234b", "#3279de"],
  green: ["#b2efbb", "#33a850", "#15652c", "#083415", "#31a04c"],
  purple: ["#dec2ff", "#8f52da", "#55278b", "#2a0f4b", "#8f52da"],
  yellow: ["#fff6b0", "#f0d021", "#9c8206", "#4a3d02", "#a28b0b"],
  cyan: ["#c3fbff", "#27b9c9", "#0d707b", "#06383e", "#2099a7"],
  clear: ["#ffffff", "#dfeaf0", "#a3b7c2", "#4d5b63", "#5c94b3"],
  white: ["#ffffff", "#f1ede4", "#b9b2a3", "#4d4941", "#978b73"],
  black: ["#8d939b", "#3a3f46", "#1a1d21", "#0b0c0e", "#68717e"],
  gray: ["#d4d8dd", "#9aa1a9", "#5b626a", "#2b2f34", "#868e98"],
  pink: ["#ffdce8", "#f48fb1", "#b0456f", "#541b33", "#ef588b"],
};

export const GLASS = ["#ffffff", "#a8dcf5", "#4b90b5"];
export const SIGNAL = { missing: "#7fd0ff", wrong: "#ffb454", turned: "#ffe066", extra: "#ff8f85", new: "#ffd257" };

// [light, body, dark, edge, line] of a colour; a line shows on a card by day and by night. An unknown colour is grey
export const shades = (colour) => PALETTE[colour] || PALETTE.silver;

// A seat without a colour of its own (South, Baba) gets one by its number.
const SEATS = ["blue", "orange", "green", "purple", "yellow", "cyan"];
export const seatShades = (seat, index) => PALETTE[seat.colour] || PALETTE[SEATS[index % SEATS.length]];
export const lineShade = (seat, index) => seatShades(seat, index)[4];

// Seats' colours are those of the set on the table; pieces may be named by the first set's silver and red.
export function sideOf(colour, seats) {
  const own = seats.findIndex((seat) => seat.colour === colour);
  if (own >= 0) return own;
  return Math.max(0, ["silver", "red"].indexOf(colour));
}

export const shown = (colour, seats) =>
  seats.some((seat) => seat.colour === colour) || !["silver", "red"].includes(colour) || seats.length !== 2
    ? colour
    : seats[sideOf(colour, seats)].colour;
