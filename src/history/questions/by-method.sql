-- Orders, paid orders and revenue of each payment method.
SELECT coalesce(method, 'none') AS method, COUNT(*) AS placed, SUM(isPaid) AS paid,
  SUM(completedOn IS NOT NULL) AS completed, SUM(revenueCents) AS revenueCents
  FROM orders WHERE NOT isDeleted GROUP BY 1 ORDER BY 1
