import { Star } from "lucide-react";
import { useClient } from "../../client/use-client.ts";
import { IconButton } from "../../components/button.tsx";
import { isSameItem, putFavourite, removeFavourite, useShelf, type ShelfItem } from "./shelf.ts";

interface FavouriteButtonProps {
  readonly item: Omit<ShelfItem, "openedAt" | "url">;
}

/** Adds something to the favourites, or removes it. */
export default function FavouriteButton({ item }: FavouriteButtonProps) {
  const client = useClient();
  const isFavourite = useShelf()?.favourites.some((other) => isSameItem(other, item)) === true;
  const toggle = () =>
    void (isFavourite ? removeFavourite(client, item) : putFavourite(client, { ...item, url: "", openedAt: null }));
  return (
    <IconButton
      label={isFavourite ? "Remove from favourites" : "Add to favourites"}
      aria-pressed={isFavourite}
      icon={<Star size={16} fill={isFavourite ? "currentColor" : "none"} />}
      onClick={toggle}
    />
  );
}
